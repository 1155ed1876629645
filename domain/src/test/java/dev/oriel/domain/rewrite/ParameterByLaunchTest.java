package dev.oriel.domain.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterByLaunchTest {
  private static final String RING =
      """
      form ring
      param B <= 64
      param D <= 8
      let T = ceil(B, 8)
      let U = T * D
      let V = D + 1
      require B % 8 == 0
      require D > 0
      input in[B]
      input other[V]
      output out[B]
      scratch box[8 * U]
      signal FULL[T]
      barrier done
      ensure out[0] = in@((r - 1) % n)[0] bytes B
      ensure other[0] = other[0] bytes 0

      lane send(k < T): sm(32) {
        let succ = (r + 1) % n
        if k < B {
          move box@succ[8 * k] <- in[8 * k] bytes 8
          sync
        }
        signal FULL[k]@succ set epoch release
      }

      lane fixed: sm(32) {
        barrier done
      }
      """;

  private static Form ring(long... values) {
    return ParameterByLaunch.of(
        FormParser.parse(RING), "B", Arrays.stream(values).boxed().toList());
  }

  @Test
  void eachLaunchHasOneOfTheValues() {
    Form form = ring(16, 0);
    String text = FormPrinter.print(form);
    assertThat(text)
        .contains("form ring-B-by-launch\nparam D <= 8\n")
        .contains("let T_at_0 = 0\nlet T_at_16 = 2\n")
        .contains("let U_at_0 = T_at_0 * D\nlet U_at_16 = T_at_16 * D\nlet V = D + 1\n")
        .contains("require 0 == 0\nrequire 0 == 0\nrequire D > 0\n")
        .contains("input in[16]")
        .contains("scratch box[max(8 * U_at_0, 8 * U_at_16)]")
        .contains("signal FULL[max(T_at_0, T_at_16)]")
        .contains("uniform B_of_launch[8]")
        .contains(
            "ensure load B_chosen <- B_of_launch[0] <= 1: out[0] = in@((r - 1) % n)[0] bytes 16 * (1 - min(B_chosen ^ 1, 1))")
        .contains("ensure other[0] = other[0] bytes 0\n")
        .contains(
            """
            lane send(k < max(T_at_0, T_at_16)): sm(32) {
              load B_chosen <- B_of_launch[0] <= 1 else 1
              if B_chosen == 0 {
                if k < T_at_0 {
                  let succ = (r + 1) % n
                  if k < 0 {
            """)
        .contains("lane fixed: sm(32) {\n  barrier done\n}");
    assertThat(FormParser.parse(text)).isEqualTo(form);
    Program.bind(form, 3, Map.of("D", 2L));
  }

  /** Two parameters: each launch has a value of both. */
  @Test
  void severalParametersDifferTogether() {
    Form form = ParameterByLaunch.of(ring(0, 16), "D", List.of(1L, 3L));
    assertThat(form.params()).isEmpty();
    assertThat(FormPrinter.print(form))
        .contains("uniform B_of_launch[8]\nuniform D_of_launch[8]")
        .contains("let U_at_16_at_3 = T_at_16 * 3");
    Program.bind(form, 2, Map.of());
  }

  @Test
  void everyPartKnowsItsOrigin() {
    Form before = FormParser.parse(RING);
    FormOrigins origins = ParameterByLaunch.origins(before, "B", List.of(16L, 0L));
    int added = FormOrigins.ADDED;
    assertThat(origins.operations())
        .isEqualTo(
            Map.of(
                "send", List.of(added, added, added, 0, 1, 2, 3, 4, added, 0, 1, 2, 3, 4),
                "fixed", List.of(0)));
    assertThat(origins.ensures()).containsExactly(0, 0, 1);
    Form form = ring(16, 0);
    assertThat(RewriteSite.of(form)).hasSize(14 + 1);
    assertThat(form.ensures()).hasSize(3);
  }

  /** A hook whose maps depend on the parameter is another one for each value. */
  @Test
  void hooksAreCopiedWhereTheirMapsDiffer() {
    Form form =
        FormParser.parse(
            """
            form turned
            param R <= 8
            input in[64 * R]
            output out[64 * R]
            hook turn = transpose(f32, max(1, R), 16)
            hook same = scale(f32, 0.5)
            ensure out[0] = turn (in[0]) bytes 64 * R
            lane main: sm(32) {
              if R > 0 {
                move out[0] <- turn (in[0]) bytes 64 * R
              } else {
                move out[0] <- same (in[0]) bytes 64 * R
              }
            }
            """);
    Form varied = ParameterByLaunch.of(form, "R", List.of(1L, 2L));
    assertThat(FormPrinter.print(varied))
        .contains("hook turn_1(in0: f32 at transpose(rows=1, columns=16))")
        .contains("hook turn_2(in0: f32 at transpose(rows=2, columns=16))")
        .contains("move out[0] <- turn_2 (in[0]) bytes 128")
        .containsOnlyOnce("hook same(");
    Program.bind(varied, 2, Map.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          C | 0,8     | no such parameter: name=C, program=ring; known: B, D
          B | 8       | number of values out of range: parameter=B, values=1, min=2, max=8; give different values
          B | 8,8     | number of values out of range: parameter=B, values=1, min=2, max=8; give different values
          B | 0,1,2,3,4,5,6,7,8 | number of values out of range: parameter=B, values=9, min=2, max=8; give different values
          B | 0,65    | value out of range: parameter=B, values=[0, 65], min=0, max=64; give values in between
          B | -1,8    | value out of range: parameter=B, values=[-1, 8], min=0, max=64; give values in between
          """)
  void wrongParametersAndValuesAreNamed(String param, String values, String message) {
    List<Long> all = Arrays.stream(values.split(",")).map(Long::parseLong).toList();
    Form form = FormParser.parse(RING);
    assertThatThrownBy(() -> ParameterByLaunch.of(form, param, all))
        .isInstanceOf(ProgramException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          team some = r < B | sync            | team some
          signal S[1]       | state s step B  | state s
          """)
  void whatAllLaunchesShareCannotDepend(String declaration, String first, String part) {
    Form form =
        FormParser.parse(
            """
            form shared
            param B <= 8
            %s
            lane main: sm(32) {
              %s
              sync
            }
            """
                .formatted(declaration, first));
    assertThatThrownBy(() -> ParameterByLaunch.of(form, "B", List.of(1L, 2L)))
        .isInstanceOf(ProgramException.class)
        .hasMessage(
            "parameter cannot differ between launches: parameter=B, program=shared, part="
                + part
                + "; all launches share that part");
  }
}
