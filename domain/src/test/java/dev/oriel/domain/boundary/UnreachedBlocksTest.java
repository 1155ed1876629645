package dev.oriel.domain.boundary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnreachedBlocksTest {

  /** The body of a lane in which the number of each operation is that of its line. */
  private static List<Integer> unreached(String body, int world, long... sizes) {
    Form form =
        FormParser.parse(
            """
            form blocks
            param B <= 4096
            let H = B / 2
            scratch box[8]
            lane main(g < 2): sm(32) {
              state s
              %s
            }
            """
                .formatted(body));
    List<UnreachedBlocks.Binding> bindings =
        LongStream.of(sizes)
            .mapToObj(size -> new UnreachedBlocks.Binding(world, Map.of("B", size)))
            .toList();
    return UnreachedBlocks.of(form, bindings).stream()
        .map(UnreachedBlocks.Block::operation)
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          B % 4 == 2 and B > 64   | 2 | 62   | 1
          B % 4 == 2 and B > 64   | 2 | 66   | 2
          H == 5                  | 2 | 11   | 2
          H == 5                  | 2 | 12   | 1
          n == 3                  | 2 | 0    | 1
          n == 3                  | 3 | 0    | 2
          r > 1                   | 2 | 0    | 1
          g == 1 and r == 1       | 2 | 0    |
          g == 2                  | 2 | 0    | 1
          epoch == 7              | 2 | 0    |
          s == 7                  | 2 | 0    |
          s == 7 and n == 3       | 2 | 0    | 1
          """)
  void aBranchIsReachedIfItsConditionMayHold(
      String condition, int world, long size, Integer unreached) {
    String body = "if %s { sync } else { sync }".formatted(condition);
    List<Integer> expected = unreached == null ? List.of() : List.of(unreached);
    assertThat(unreached(body, world, size)).isEqualTo(expected);
  }

  @Test
  void loopsAndNamesAreFollowed() {
    assertThat(unreached("for t < B { sync if t == 3 { sync } }", 1, 3)).containsExactly(3);
    assertThat(unreached("for t < B { sync if t == 3 { sync } }", 1, 4)).isEmpty();
    assertThat(unreached("for t < B { sync }", 1, 0)).containsExactly(1);
    assertThat(unreached("let x = B * 2 if x == 6 { sync }", 1, 4)).containsExactly(2);
    assertThat(unreached("let x = B + s if x == 6 { sync }", 1, 4)).isEmpty();
    assertThat(unreached("each p in peers { sync }", 1, 4)).containsExactly(1);
    assertThat(unreached("each p in peers { if p == 1 { sync } }", 2, 4)).isEmpty();
  }

  @Test
  void oneProgramSufficesAndInnerBlocksFollowOuterOnes() {
    String body = "if B > 8 { sync if B > 100 { sync } } sync";
    assertThat(unreached(body, 2, 1)).containsExactly(1);
    assertThat(unreached(body, 2, 1, 9)).containsExactly(3);
    assertThat(unreached(body, 2, 1, 9, 101)).isEmpty();
  }

  @Test
  void aValueIsFoundThatLeadsIntoABlock() {
    Form form =
        FormParser.parse(
            """
            form blocks
            param B <= 4096
            scratch box[8]
            lane main: sm(32) {
              if B % 4 == 2 and B > 64 { sync if B > 500 { sync } }
              if n == 3 { sync }
            }
            """);
    assertThat(UnreachedBlocks.reaching(form, 2, Map.of(), "B", List.of(1000L), 4096))
        .containsExactly(66L, 502L);
    assertThat(UnreachedBlocks.reaching(form, 2, Map.of(), "B", List.of(66L), 100)).isEmpty();
    assertThat(UnreachedBlocks.reaching(form, 3, Map.of(), "B", List.of(510L), 4096)).isEmpty();
  }

  @Test
  void aRankThatALoopNamesIsOneOfTheWorld() {
    String body = "each q in peers { if q == 2 { sync } }";
    assertThat(unreached(body, 2, 1)).containsExactly(2);
    assertThat(unreached(body, 3, 1)).isEmpty();
    assertThat(unreached("each q in self { if q != r { sync } }", 3, 1)).containsExactly(2);
    assertThat(unreached("each q in @(r / 2) { if q == 2 { sync } }", 4, 1)).containsExactly(2);
    assertThat(unreached("each q in all { if q == 2 { sync } }", 3, 1)).isEmpty();
  }

  /** Nobody counts through 2^36 turns, so nothing is said of them. */
  @Test
  void nothingIsSaidWhereTheTurnsAreTooMany() {
    String body = "for a < B { for b < B { for c < B { if c > B { sync } } } }";
    assertThat(unreached(body, 1, 4)).containsExactly(4);
    assertThat(unreached(body, 1, 4096)).isEmpty();
    Form form =
        FormParser.parse(
            "form f param T <= 1000000000 lane l(t < T): sm(32) { if t < 0 { sync } }");
    assertThat(UnreachedBlocks.reaching(form, 2, Map.of(), "T", List.of(999_999_999L), 4096))
        .isEmpty();
  }
}
