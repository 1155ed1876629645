package dev.oriel.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
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
        "3+|'' is not a number",
        "+|'' is not a number",
        "3+0|a host without ranks",
        "1048576+1|more than 1048576 ranks",
        "3+1/2|'1/2' is not a number",
        "0,1/|'' is not a number",
        "0,,1|'' is not a number",
        "-1/0|'-1' is negative",
        "0,1/1,2|rank 1 stands twice",
        "0-3/2|rank 2 stands twice",
        "0,2/3|rank 1 is missing",
        "1/2|rank 0 is missing",
        "3-1/0|'3-1' runs backwards",
        "0-1-2|'1-2' is not a number",
        "0-1048576|rank 1048576 is more than 1048575",
        "a/b|'a' is not a number",
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
                + "; write hosts x GPUs per host, as in 2x4, the GPUs of each host, as in 3+1, or its ranks, as in 0,2/1,3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3+1|3+1|[[0, 1, 2], [3]]",
        "1+2+1|1+2+1|[[0], [1, 2], [3]]",
        "0,2/1,3|0,2/1,3|[[0, 2], [1, 3]]",
        "3,1/2,0|0,2/1,3|[[0, 2], [1, 3]]",
        "0-2/3|3+1|[[0, 1, 2], [3]]",
        "0,1,4/2-3|0-1,4/2-3|[[0, 1, 4], [2, 3]]",
        "2+2|2x2|[[0, 1], [2, 3]]",
        "0/1/2|3x1|[[0], [1], [2]]",
        "0-3|1x4|[[0, 1, 2, 3]]",
        "5+5|2x5|[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]"
      })
  void hostsMayDifferAndHaveSeparatedRanks(String text, String printed, String hosts) {
    WorldShape shape = WorldShape.parse(text);
    assertThat(shape).hasToString(printed);
    assertThat(WorldShape.parse(printed)).isEqualTo(shape);
    Topology topology = Topology.of(shape.facts());
    assertThat(lists(topology.hosts())).hasToString(hosts);
    assertThat(lists(topology.domains())).hasToString(hosts);
    assertThat(new WorldShape(topology.hosts())).isEqualTo(shape);
  }

  private static List<List<Integer>> lists(List<IndexSet> sets) {
    return sets.stream().map(set -> set.stream().boxed().toList()).toList();
  }

  @Test
  void theFirstRanksStayWhereTheyAre() {
    assertThat(WorldShape.parse("0,2/1,3").first(3)).hasToString("0,2/1");
    assertThat(WorldShape.parse("0,2/1,3").first(1)).hasToString("1x1");
  }

  @Test
  void longTextsAndInvalidWorldsAreRejected() {
    assertThatThrownBy(() -> WorldShape.parse("1+".repeat(600) + "1"))
        .hasMessageContaining("reason=1201 characters");
    assertThatThrownBy(() -> new WorldShape(List.of(IndexSet.of(0), IndexSet.of(0))))
        .hasMessageContaining("no world: ranks=2, different=1, last=0");
    assertThatThrownBy(() -> new WorldShape(List.of(IndexSet.of(1))))
        .hasMessageContaining("ranks=1, different=1, last=1");
    assertThatThrownBy(() -> new WorldShape(List.of())).hasMessageContaining("ranks=0");
    assertThatThrownBy(() -> new WorldShape(List.of(IndexSet.range(0, Topology.MAX_WORLD + 1))))
        .hasMessageContaining("world too large: hosts=1, ranks=1048577");
    assertThatThrownBy(() -> new WorldShape(List.of(IndexSet.of(0), IndexSet.EMPTY)))
        .hasMessageContaining("host without ranks");
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
