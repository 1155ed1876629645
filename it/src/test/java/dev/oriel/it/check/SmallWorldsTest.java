package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SmallWorldsTest {
  private static final List<String> NEAR =
      List.of("1x2", "2x1", "1x3", "2x2", "1x1", "3x1", "1x4", "3+1", "1x5");

  private static Form form(String declarations, String body) {
    return FormParser.parse(
        "form f\n%s\nsignal S[1]\nlane a: sm(32) { %s }"
            .formatted(declarations.strip(), body.strip()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
                            | sync                                 | -                      | []
                            | if n == 6 { sync }                   | 1x6, 6x1, 1x7, 7x1     | []
                            | for s < min(n - 1, 5) { sync }       | 1x6, 6x1, 1x7, 7x1     | []
                            | for s < min(n - 1, 9) { sync }       | -                      | [10, 11]
                            | if r == 16 { sync }                  | -                      | [17, 18]
                            | for k < 4 { signal S[0]@((r + (1 << k)) % n) set 1 release } | - | [16, 17]
          param E <= 4096   | for i < min(16, E % n) { sync }      | -                      | [24, 28]
                            | for k < n { let i = k * 11 % n sync } | -                     | [11, 12]
          require n < 17    | if r == 16 { sync }                  | -                      | []
          require n == 6    | sync                                 | 1x6, 6x1               | []
          require n % 4 < 2 | if n == 8 { sync }                   | 1x8, 8x1, 1x9, 9x1     | []
          param domain <= 8 | for i < min(domain, 4) { sync }      | -                      | []
          param domain <= 8 | for i < min(domain, 5) { sync }      | 1x6                    | []
          param domain <= 8 require n == 2 * domain | for i < min(domain, 2) { sync }      | 2x3                    | []
          """)
  void theTextAddsWorlds(String declarations, String body, String more, String larger) {
    SmallWorlds worlds =
        SmallWorlds.from("1x2", form(declarations == null ? "" : declarations, body));
    assertThat(worlds.names()).startsWith(NEAR.toArray(String[]::new));
    assertThat(worlds.names().subList(NEAR.size(), worlds.names().size()))
        .isEqualTo(more == null ? List.of() : List.of(more.split(", ")));
    assertThat(worlds.unsearched()).hasToString(larger);
  }
}
