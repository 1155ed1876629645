package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All refusals of the driver during a capture have one remedy. */
class RefusedTest {

  @ParameterizedTest
  @ValueSource(strings = {"UNSUPPORTED", "IMPLICIT", "INVALIDATED"})
  void aCaptureThatForbidsCopiesIsNamed(String why) {
    assertThat(Gpu.refused(3, "write bytes=8", "CUDA_ERROR_STREAM_CAPTURE_" + why))
        .hasMessageStartingWith(
            "CUDA refused: gpu=3, call=write bytes=8, reason=CUDA_ERROR_STREAM_CAPTURE_" + why)
        .hasMessageContaining("made with CU_STREAM_NON_BLOCKING")
        .hasMessageContaining("CU_STREAM_CAPTURE_MODE_RELAXED");
  }

  @Test
  void otherReasonsAreExplainedByTheDriver() {
    assertThat(Gpu.refused(3, "run", "CUDA_ERROR_INVALID_VALUE"))
        .hasMessageEndingWith("see the driver's documentation of that reason");
  }
}
