package dev.oriel.cuda;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ports.MachineException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SharingTest {
  @Test
  void aGpuForEachProcessIsFine() {
    assertThatCode(() -> Sharing.refuse(List.of("GPU-a", "GPU-b", "GPU-c")))
        .doesNotThrowAnyException();
  }

  @Test
  void twoProcessesOnOneGpuAreRefusedByName() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> Sharing.refuse(List.of("GPU-a", "GPU-b", "GPU-b")))
        .withMessageContainingAll("ranks=1 and 2", "GPU-b", "LOCAL_RANK")
        .matches(MachineException::environment);
  }
}
