package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StressCodeTest {

  @ParameterizedTest
  @ValueSource(strings = {StressCode.TURN, StressCode.FILL, StressCode.COMPARE})
  void assembles(String entry) {
    assumeTrue(Assembler.absence().isEmpty(), Assembler.absence());
    for (PtxTarget target : PtxTarget.values()) {
      assertThat(Assembler.assemble(StressCode.text(entry), target)).isNotEmpty();
    }
  }

  /** The least report is that of the first launch, then buffer, then offset. */
  @ParameterizedTest
  @CsvSource({"1, 0, 0, 0", "1048575, 63, 1073741823, -1", "7, 3, 4098, -91"})
  void reportsDecodeToThemselves(int turn, int buffer, int offset, byte found) {
    long word =
        (long) turn << 44 | (long) buffer << 38 | (long) offset << 8 | Byte.toUnsignedLong(found);
    assertThat(StressCode.FirstMismatch.of(word))
        .isEqualTo(new StressCode.FirstMismatch(turn, buffer, offset, found));
  }
}
