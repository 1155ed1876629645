package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the driver refuses while a stream is captured has one remedy. */
class RefusedTest {

  @ParameterizedTest
  @CsvSource({
    "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, true",
    "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, true",
    "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, true",
    "CUDA_ERROR_INVALID_VALUE, false"
  })
  void aCaptureThatForbidsCopiesIsNamed(String reason, boolean capture) {
    assertThat(Gpu.refused(3, "write bytes=8", reason))
        .hasMessageStartingWith("CUDA refused: gpu=3, call=write bytes=8, reason=" + reason + "; ")
        .satisfies(
            e -> assertThat(e.getMessage().contains("CU_STREAM_NON_BLOCKING")).isEqualTo(capture))
        .satisfies(e -> assertThat(e.getMessage().contains("RELAXED")).isEqualTo(capture));
  }
}
