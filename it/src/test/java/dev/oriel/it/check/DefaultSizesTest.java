package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters that count lanes or turns are small by default; other sizes are 1,000. */
class DefaultSizesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lane w(i < A): sm(32) { sync }                           |      | {A=4, C=1000}
          lane w(i < C, j < A): sm(32) { sync }                    |      | {A=2, C=4}
          lane w(i < ceil(A, 100)): sm(32) { sync }                |      | {A=1000, C=1000}
          lane w(i < A): sm(32) { sync }                           | A=40 | {A=40, C=1000}
          lane w(i < A): sm(32) { if A < 7 { sync } }              |      | {A=8, C=1000}
          lane w: sm(32) { for a < A { sync } }                    |      | {A=1000, C=1000}
          lane w: sm(32) { for a < A { for b < C { sync } } }      |      | {A=4, C=4}
          lane w: sm(32) { for a < A { for b < C { sync } } }      | A=99 | {A=99, C=1}
          lane w: sm(32) { for a < A { for b < 3 { sync } } }      |      | {A=4, C=1000}
          """)
  void parametersThatCountAreSmall(String lane, String set, String sizes) {
    Form form =
        FormParser.parse(
            "form counts\nparam A <= 4000\nparam C <= 4000\nscratch c[8]\n"
                + lane.replace("{ for", "{\nfor").replace("} }", "}\n}")
                + "\n");
    Map<String, List<Long>> given = new TreeMap<>();
    if (set != null) {
      given.put("A", List.of(Long.parseLong(set.substring(2))));
    }
    CombinationBinder binder = new CombinationBinder(form, "1x2", given.keySet());
    List<Map<String, Long>> all = new RequestedSizes(form, binder, List.of("1x2"), given).all();
    assertThat(all).hasToString("[" + sizes + "]");
  }
}
