package dev.oriel.domain.boundary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ParamBoundariesTest {
  private static final String RING =
      """
      form ring
      param B <= 65536
      param D <= 5
      let S = 512
      let C = S * ceil(ceil(B, S), 2)
      scratch stage[4 * S]
      scratch box[B]
      lane main(g < 2): sm(32) {
        state sent step S
        let o = min(g * C, B)
        let len = min(C, B - o)
        for t < ceil(len, S) {
          %s
          set sent = sent + S
        }
      }
      """;

  private static List<Long> of(String text, int world, String param) {
    Form form = FormParser.parse(text);
    Map<String, Long> params = new TreeMap<>();
    form.params().forEach(p -> params.put(p.name(), Math.min(p.max(), 1000)));
    Form.Param one =
        form.params().stream().filter(p -> p.name().equals(param)).findFirst().orElseThrow();
    return ParamBoundaries.of(form, world, params, one);
  }

  private static String lane(String param, String body) {
    return "form f\nparam %s\nscratch a[8]\nlane main: sm(32) {\n%s\n}\n".formatted(param, body);
  }

  @Test
  void zeroAndOneAreFirstAndNoneExceedsTheMaximum() {
    assertThat(of(lane("B <= 1048576", "sync"), 2, "B")).containsExactly(0L, 1L);
    assertThat(of(lane("B <= 0", "sync"), 2, "B")).containsExactly(0L);
    assertThat(of(lane("B <= 7", "sync"), 2, "B")).containsExactly(0L, 1L, 7L);
    assertThat(of(lane("B <= 40", "let x = B / 100"), 2, "B")).containsExactly(0L, 1L, 40L);
  }

  @Test
  void multiplesOfDivisorsHaveBothNeighbours() {
    for (String part : List.of("ceil(B, 48)", "B / 48", "B % 48")) {
      assertThat(of(lane("B <= 1048576", "let x = " + part), 2, "B"))
          .as(part)
          .startsWith(0L, 1L, 49L)
          .containsExactlyInAnyOrder(0L, 1L, 47L, 48L, 49L, 95L, 96L, 97L);
    }
    assertThat(of(lane("B <= 1048576", "let x = B >> 4"), 2, "B")).contains(15L, 16L, 17L);
    assertThat(of(lane("B <= 1048576", "let x = B & 63"), 2, "B")).contains(63L, 64L, 65L);
  }

  /** A stride of 7 does not reach all of 7 tiles. */
  @Test
  void aStrideImpliesAsManyTilesAsItIsLong() {
    assertThat(
            of(
                lane(
                    "B <= 1048576",
                    "for t < ceil(B, 64) { let i = (t * 7 + 1) % ceil(B, 64) sync }"),
                2,
                "B"))
        .contains(384L, 385L, 386L);
  }

  @Test
  void comparisonsGiveBoundariesOnBothSides() {
    assertThat(of(lane("B <= 1048576", "if B > 300 { sync }"), 2, "B")).contains(299L, 300L, 301L);
    assertThat(of(lane("B <= 1048576", "let x = min(2 * B, 600)"), 2, "B"))
        .contains(299L, 300L, 301L);
    assertThat(of(lane("B <= 1048576", "let x = min(1, B ^ 77)"), 2, "B")).contains(76L, 77L, 78L);
    assertThat(of(lane("B <= 1048576", "check B == 77 else 1"), 2, "B")).contains(76L, 77L, 78L);
  }

  @Test
  void theNumberOfRanksIsABoundary() {
    String shares = lane("B <= 1048576", "let x = ceil(B, 10 * n)");
    assertThat(of(shares, 2, "B")).contains(19L, 20L, 21L).doesNotContain(31L);
    assertThat(of(shares, 3, "B")).contains(29L, 30L, 31L);
  }

  /** Of two lanes the first has more than four tiles where both have more than eight. */
  @Test
  void moreIterationsThanSlotsAreIncluded() {
    String move = "move stage[sent % (4 * S)] <- box[o + t * S] bytes min(S, len - t * S)";
    assertThat(of(RING.formatted(move), 2, "B"))
        .contains(511L, 512L, 513L, 1025L)
        .contains(8 * 512L + 1);
    String turn = "move stage[t % 3 * S] <- box[o + t * S] bytes min(S, len - t * S)";
    assertThat(of(RING.formatted(turn), 2, "B")).contains(6 * 512L + 1);
    assertThat(of(RING.formatted("sync"), 2, "B")).doesNotContain(8 * 512L + 1);
  }

  /** A place that is counted in bytes comes again, too. */
  @Test
  void slotsThatAreCountedInBytesAreIncluded() {
    for (String place :
        List.of("t * S % (3 * S)", "S * t % (S * 3)", "(2 * S + t * S) % (3 * S)")) {
      String move = "move stage[%s] <- box[o + t * S] bytes min(S, len - t * S)".formatted(place);
      assertThat(of(RING.formatted(move), 2, "B")).as(place).contains(6 * 512L + 1);
    }
  }

  /** A loop that goes on to the turn from which on something else is done. */
  @Test
  void aTurnToWhichTheTextComparesIsIncluded() {
    for (String turn : List.of("t < 9", "9 > t", "t != 9", "t + 1 < 10", "8 * t >= 72")) {
      String branch = "if %s { sync }".formatted(turn);
      assertThat(of(RING.formatted(branch), 2, "B")).as(turn).contains(18 * 512L + 1);
    }
  }

  @Test
  void whatDoesNotDependOnTheParameterImpliesNothing() {
    assertThat(of(RING.formatted("sync"), 2, "D")).containsExactly(0L, 1L, 5L);
    assertThat(of(lane("B <= 1048576", "let x = epoch % 7"), 2, "B")).containsExactly(0L, 1L);
    assertThat(of(lane("B <= 1048576", "load x <- a[0]\nlet y = x / max(B, 1)"), 2, "B"))
        .containsExactly(0L, 1L, 2L, 3L);
  }

  @Test
  void divisionsByZeroAreNoBoundary() {
    assertThat(of(lane("B <= 1048576", "let x = 100 / B"), 2, "B")).containsExactly(0L, 1L);
    assertThat(of(lane("B <= 1048576", "let x = B / B"), 2, "B")).startsWith(0L, 1L);
  }

  @Test
  void aModestMaximumIsIncluded() {
    assertThat(of(lane("B <= 65536", "sync"), 2, "B")).containsExactly(0L, 1L, 65535L, 65536L);
    assertThat(of(lane("B <= 65537", "sync"), 2, "B")).containsExactly(0L, 1L);
  }

  /** A cap on a number of parts does something only with one part more. */
  @Test
  void theFirstValueBeyondACapIsIncluded() {
    for (String capped :
        List.of(
            "min(ceil(B, 512), 7)",
            "min(7, ceil(B, 512))",
            "min(B / 512 + 1, 8)",
            "ceil(B, 512) - max(ceil(B, 512), 7)",
            "ceil(min(B, 3500), 512)",
            "min(B, 3584)")) {
      assertThat(of(lane("B <= 1048576", "let x = " + capped), 2, "B")).as(capped).contains(3585L);
    }
    assertThat(of(lane("B <= 1048576", "let T = ceil(B, 512) for t < min(T, 6) { }"), 2, "B"))
        .contains(6 * 512L + 1);
    assertThat(of(lane("B <= 1048576", "let x = min(min(ceil(B, 4), 16000), B)"), 2, "B"))
        .contains(64001L);
  }

  /** At 0 and at the maximum these are the same. */
  @Test
  void conditionsThatComeAndGoHaveABoundary() {
    assertThat(of(lane("B <= 1048576", "if B % 8 == 3 { sync }"), 2, "B")).contains(2L, 3L, 4L);
    assertThat(of(lane("B <= 1048576", "check B & 4096 == 0 else 1"), 2, "B")).contains(4096L);
    assertThat(of(lane("B <= 1048576", "let x = B & 4096 if x == 0 { sync }"), 2, "B"))
        .contains(4095L, 4096L, 4097L);
    assertThat(of(lane("B <= 1048576", "if B % 1000 == 777 { sync }"), 2, "B")).contains(777L);
  }

  @Test
  void theLongestLoopIsKnown() {
    LoopTurns turns = new LoopTurns(FormParser.parse(RING.formatted("for s < n - 1 { sync }")));
    assertThat(turns.most(4, Map.of("B", 10240L, "D", 1L))).isEqualTo(10);
    assertThat(turns.most(12, Map.of("B", 10240L, "D", 1L))).isEqualTo(11);
  }
}
