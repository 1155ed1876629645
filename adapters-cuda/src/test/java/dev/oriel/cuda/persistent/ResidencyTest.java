package dev.oriel.cuda.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ResidencyTest {

  @Test
  void residencyIsTheSumOfEachStreamsLargestKernel() {
    assertThat(Residency.atOnce(Stream.of())).isZero();
    assertThat(
            Residency.atOnce(
                Stream.of(new Residency(1, 40), new Residency(1, 120), new Residency(1, 3))))
        .isEqualTo(120);
    assertThat(
            Residency.atOnce(
                Stream.of(new Residency(1, 40), new Residency(2, 7), new Residency(1, 30))))
        .isEqualTo(47);
  }
}
