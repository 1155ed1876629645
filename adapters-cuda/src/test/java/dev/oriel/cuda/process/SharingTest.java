package dev.oriel.cuda.process;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.cuda.process.Sharing.Seat;
import dev.oriel.ports.MachineException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SharingTest {
  @Test
  void ranksOfOneProcessMayShareAGpu() {
    List<Seat> seats =
        List.of(
            new Seat("1", "GPU-a"),
            new Seat("1", "GPU-b"),
            new Seat("1", "GPU-a"),
            new Seat("2", "GPU-c"));
    assertThatCode(() -> Sharing.refuse(seats)).doesNotThrowAnyException();
  }

  @Test
  void twoProcessesOnOneGpuAreRefusedByName() {
    List<Seat> seats =
        List.of(new Seat("1", "GPU-a"), new Seat("2", "GPU-b"), new Seat("3", "GPU-b"));
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> Sharing.refuse(seats))
        .withMessageContainingAll("ranks=1 and 2", "GPU-b", "LOCAL_RANK")
        .matches(MachineException::environment);
  }
}
