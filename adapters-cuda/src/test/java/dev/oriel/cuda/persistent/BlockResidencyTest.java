package dev.oriel.cuda.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BlockResidencyTest {

  @Test
  void residencyIsTheSumOfEachStreamsLargestKernel() {
    assertThat(BlockResidency.atOnce(Stream.of())).isZero();
    assertThat(
            BlockResidency.atOnce(
                Stream.of(
                    new BlockResidency(1, 40),
                    new BlockResidency(1, 120),
                    new BlockResidency(1, 3))))
        .isEqualTo(120);
    assertThat(
            BlockResidency.atOnce(
                Stream.of(
                    new BlockResidency(1, 40),
                    new BlockResidency(2, 7),
                    new BlockResidency(1, 30))))
        .isEqualTo(47);
  }
}
