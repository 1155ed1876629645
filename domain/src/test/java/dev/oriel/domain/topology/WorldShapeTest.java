package dev.oriel.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorldShapeTest {

  @Test
  void theNotationIsReadAndPrinted() {
    assertThat(WorldShape.parse("2x4")).isEqualTo(new WorldShape(2, 4)).hasToString("2x4");
    assertThat(WorldShape.parse("2x4").world()).isEqualTo(8);
    assertThat(WorldShape.parse("90x09")).isEqualTo(new WorldShape(90, 9));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "8|no 'x' between two numbers",
        "2X4|no 'x' between two numbers",
        "x4|'' is not a number",
        "2x|'' is not a number",
        "-2x4|'-2' is negative",
        "2x-4|'-4' is negative",
        "+2x4|'+2' is not a number",
        "2x4x2|'4x2' is not a number",
        "2x 4|' 4' is not a number",
        "2x:|':' is not a number",
        "2x/|'/' is not a number",
        "2x\u0664|'\u0664' is not a number",
        "99999999999x1|'99999999999' is more than 1048576",
      })
  void badTextIsRefusedWithTheReason(String text, String reason) {
    assertThatThrownBy(() -> WorldShape.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "bad world: text="
                + text
                + ", reason="
                + reason
                + "; write hosts x GPUs per host, as in 2x4");
  }

  @Test
  void anEmptyWorldIsRefused() {
    assertThatThrownBy(() -> WorldShape.parse("0x4"))
        .hasMessageStartingWith("empty world: hosts=0");
    assertThatThrownBy(() -> new WorldShape(4, 0)).hasMessageContaining("gpusPerHost=0");
    assertThatThrownBy(() -> new WorldShape(-1, -4)).hasMessageContaining("hosts=-1");
  }

  @Test
  void theLargestWorldIsAMillionRanksAndProductsDoNotOverflow() {
    assertThat(new WorldShape(1 << 10, 1 << 10).world()).isEqualTo(Topology.MAX_WORLD);
    assertThatThrownBy(() -> new WorldShape(1, Topology.MAX_WORLD + 1))
        .hasMessage(
            "world too large: hosts=1, gpusPerHost=1048577, ranks=1048577;"
                + " use at most 1048576 ranks");
    assertThatThrownBy(() -> new WorldShape(1 << 16, 1 << 16))
        .hasMessageContaining("ranks=4294967296;");
  }
}
