package dev.oriel.domain.boundary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.parse.FormParser;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WorldDecisionsTest {
  private static final Map<String, Long> PARAMS = Map.of("B", 1000L, "domain", 2L);

  /** The numbers of ranks, from 2, that decide something which none below them decides. */
  private static List<Integer> news(String body) {
    WorldDecisions decisions =
        new WorldDecisions(
            FormParser.parse(
                """
                form f
                param B <= 1000
                param domain <= 8
                signal S[1]
                lane a: sm(32) { %s }
                """
                    .formatted(body)));
    Set<WorldDecisions.Decision> known = new HashSet<>(decisions.in(1, PARAMS));
    List<Integer> news = new ArrayList<>();
    for (int ranks = 2; ranks <= 12; ranks++) {
      if (known.addAll(decisions.in(ranks, PARAMS))) {
        news.add(ranks);
      }
    }
    return news;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sync                                              |
          if n == 6 { sync }                                | 6, 7
          if r > 6 { sync }                                 | 7, 8
          if n * 2 == 12 { sync }                           | 6, 7
          for s < min(n - 1, 5) { sync }                    | 2, 3, 4, 6, 7
          let x = ceil(n, 4)                                | 4, 5, 8, 9
          let x = r % 7                                     | 2, 8, 9
          let x = (r + 1) % n                               | 2
          for s < n - 1 { let x = s % 6 }                   | 2, 3, 4, 7, 8, 9
          if n < domain * 4 { sync }                        | 8, 9
          if B < n * 125 { sync }                           | 8, 9
          if epoch == n { sync }                            |
          each q in all { if q != 6 { sync } }              | 2, 3, 6, 7, 8
          each q in peers { let p = min(q, 6) }             | 2, 3, 6, 7, 8
          if r * 2 + 2 < n and r != 2 { sync }              | 2, 3, 4, 7
          each q in all { let p = q / 6 }                   | 2, 3, 6, 7, 8
          if r * 2 + 2 < n { if r == 2 { sync } }           | 2, 3, 4, 7
          if r == 0 { sync } for k < 3 { if r >= 1 << k and r < 2 << k { sync } if r < 1 << k and r + (1 << k) < n { sync } } | 2, 3, 4, 5, 9
          """)
  void aWorldDecidesSomethingNew(String body, String expected) {
    assertThat(news(body).toString()).isEqualTo("[" + (expected == null ? "" : expected) + "]");
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 3", "3, 3"})
  void aParameterOfTheWorldDecides(long domain, long other) {
    WorldDecisions decisions =
        new WorldDecisions(
            FormParser.parse(
                """
                form f
                param domain <= 8
                lane a: sm(32) { for i < min(domain, 2) { sync } }
                """));
    assertThat(
            decisions
                .in(4, Map.of("domain", domain))
                .equals(decisions.in(4, Map.of("domain", other))))
        .isEqualTo(domain == other);
  }
}
