package dev.oriel.it.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParamValuesTest {
  private static List<Long> values(String text) {
    return ParamValues.parse("--set", "B", text).values();
  }

  @Test
  void valuesRangesAndListsOfBoth() {
    assertThat(values("16")).containsExactly(16L);
    assertThat(values("0..3")).containsExactly(0L, 1L, 2L, 3L);
    assertThat(values("5..5")).containsExactly(5L);
    assertThat(values("17,1,15..16,1")).containsExactly(1L, 15L, 16L, 17L);
    assertThat(values("1..1000")).hasSize(1000);
    assertThat(values("1KiB,2MiB,1GiB")).containsExactly(1024L, 2L << 20, 1L << 30);
    assertThat(values("8589934591GiB")).containsExactly(8589934591L << 30);
    assertThat(values("1KiB..1026")).containsExactly(1024L, 1025L, 1026L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "6..0 | range backwards",
        "0.. | range without an end",
        "..6 | range without an end",
        ".. | range without an end",
        "'' | no value",
        "1,,2 | no value",
        "1, | no value",
        "0..1000 | too many values",
        "1..700,800..1200 | too many values",
        "0..9223372036854775807 | too many values",
        "-9223372036854775808..9223372036854775807 | too many values",
        "0...6 | not a number",
        "0..x | not a number",
        "many | not a number",
        "99999999999999999999 | not a number",
        "8589934592GiB | not a number",
        "64KB | not a number",
        "KiB | not a number",
      })
  void invalidValuesAreRejectedWithTheirReason(String text, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ParamValues.parse("--set", "B", text))
        .withMessageStartingWith(reason + ": option=--set, parameter=B, value=");
  }
}
