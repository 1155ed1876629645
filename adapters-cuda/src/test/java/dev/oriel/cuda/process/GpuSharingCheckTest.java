package dev.oriel.cuda.process;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.cuda.process.GpuSharingCheck.ProcessDevice;
import dev.oriel.ports.MachineException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GpuSharingCheckTest {
  @Test
  void ranksOfOneProcessMayShareAGpu() {
    List<ProcessDevice> seats =
        List.of(
            new ProcessDevice("1", "GPU-a"),
            new ProcessDevice("1", "GPU-b"),
            new ProcessDevice("1", "GPU-a"),
            new ProcessDevice("2", "GPU-c"));
    assertThatCode(() -> GpuSharingCheck.refuse(seats)).doesNotThrowAnyException();
  }

  @Test
  void twoProcessesOnOneGpuAreRefusedByName() {
    List<ProcessDevice> seats =
        List.of(
            new ProcessDevice("1", "GPU-a"),
            new ProcessDevice("2", "GPU-b"),
            new ProcessDevice("3", "GPU-b"));
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> GpuSharingCheck.refuse(seats))
        .withMessageContainingAll("ranks=1 and 2", "GPU-b", "LOCAL_RANK")
        .matches(MachineException::environment);
  }
}
