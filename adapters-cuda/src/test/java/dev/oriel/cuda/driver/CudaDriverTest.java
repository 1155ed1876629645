package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ports.MachineException;
import org.junit.jupiter.api.Test;

final class CudaDriverTest {
  @Test
  void aProcessUsesTheGpuOfItsNumberOrItsOnlyVisibleOne() {
    assertThat(CudaDriver.ordinal(0, 4)).isEqualTo(0);
    assertThat(CudaDriver.ordinal(3, 4)).isEqualTo(3);
    assertThat(CudaDriver.ordinal(3, 1)).isEqualTo(0);
  }

  @Test
  void moreProcessesThanGpusAreRefused() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> CudaDriver.ordinal(4, 4))
        .withMessageContainingAll("localRank=4", "gpus=4")
        .matches(MachineException::environment);
  }
}
