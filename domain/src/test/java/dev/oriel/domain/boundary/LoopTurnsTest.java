package dev.oriel.domain.boundary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.parse.FormParser;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoopTurnsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sync                                                          | 0    | 0
          for a < A { sync }                                            | 10   | 10
          for a < A { for b < C { sync } }                              | 30   | 10
          for a < A { sync } for b < C { sync }                         | 12   | 10
          for a < A { if a > 1 { for b < C { sync } } else { for c < 5 { sync } } } | 80 | 10
          for a < A { for b < C + a { for c < n { sync } } }            | 70   | 10
          each p in peers { for c < C { sync } }                        | 4    | 2
          load x <- in[0] <= 8 else 1 for a < x { sync }                | 1    | 0
          load x <- in[0] <= 8 else 1 for a < x { for b < A { sync } }  | 11   | 10
          let steps = ceil(A, 1) for a < steps { for b < C { sync } }   | 30   | 10
          let k = A let m = k + 1 for a < m { sync }                    | 11   | 11
          """)
  void turnsWithinTurnsCountAsOftenAsTheyHappen(String body, long all, long most) {
    LoopTurns turns =
        new LoopTurns(
            FormParser.parse(
                "form loops\nparam A <= 99\nparam C <= 99\ninput in[8]\nlane w: sm(32) { %s }\n"
                    .formatted(
                        body.replace(" } ", " }\n")
                            .replace("} else", "}\nelse")
                            .replace("1 for", "1\nfor")
                            .replace(") for", ")\nfor")
                            .replace("A let", "A\nlet"))));
    Map<String, Long> params = Map.of("A", 10L, "C", 2L);
    assertThat(turns.all(2, params)).isEqualTo(all);
    assertThat(turns.most(2, params)).isEqualTo(most);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lane w: sm(32) { sync }                                       | 1
          lane w(i < A, j < C): sm(32) { sync }                         | 20
          lane w(i < A): sm(32) { sync } lane v(i < n): sm(32) { sync } | 12
          """)
  void lanesAreCountedFromTheText(String lanes, long expected) {
    LoopTurns turns =
        new LoopTurns(
            FormParser.parse(
                "form loops\nparam A <= 99\nparam C <= 99\n%s\n"
                    .formatted(lanes.replace("} lane", "}\nlane"))));
    assertThat(turns.lanes(2, Map.of("A", 10L, "C", 2L))).isEqualTo(expected);
    assertThat(turns.lanes(2, Map.of("A", Long.MAX_VALUE / 2, "C", 9L))).isPositive();
  }
}
