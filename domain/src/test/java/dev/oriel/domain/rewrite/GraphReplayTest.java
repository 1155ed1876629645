package dev.oriel.domain.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import org.junit.jupiter.api.Test;

class GraphReplayTest {
  private static final String TEXT =
      """
      form numbers
      input in[8]
      output out[8]
      scratch box[16]
      signal FULL[1]
      barrier done
      lane main: sm(32) {
        if epoch > 1 {
          move box@((r + 1) % n)[8 * (epoch % 2)] pkt8(nz32(epoch)) <- in[0] bytes 4
        }
        signal FULL[0]@((r + 1) % n) set epoch release
      }
      lane other: sm(32) {
        barrier done
      }
      """;

  private static Form form() {
    return FormParser.parse(TEXT);
  }

  @Test
  void oneLaunchHasOneNumber() {
    Form replayed = new GraphReplay(1, false).of(form());
    assertThat(FormPrinter.print(replayed))
        .startsWith("form numbers-graph-1\n")
        .contains("if 1 > 1 {", "box@((r + 1) % n)[8] pkt8(nz32(1))", "set 1 release")
        .doesNotContain("epoch");
    assertThat(new GraphReplay(1, false).origins(form()).operations().get("main"))
        .containsExactly(0, 1, 2);
  }

  @Test
  void theNumbersOfLaunchesRepeat() {
    Form replayed = new GraphReplay(3, false).of(form());
    assertThat(FormPrinter.print(replayed))
        .startsWith("form numbers-graph-3\n")
        .contains("set (epoch - 1) % 3 + 1 release");
  }

  @Test
  void lanesCountWhatTheHostCounts() {
    Form replayed = new GraphReplay(2, true).of(form());
    String text = FormPrinter.print(replayed);
    assertThat(text)
        .startsWith("form numbers-graph-2-eager\n")
        .contains("uniform graph_replayed[8]", "set passed_epoch release")
        .contains("lane other: sm(32) {\n  barrier done\n}");
    assertThat(FormParser.parse(text)).isEqualTo(replayed);
    List<Integer> origins = new GraphReplay(2, true).origins(form()).operations().get("main");
    int added = FormOrigins.ADDED;
    assertThat(origins).containsExactly(added, added, added, added, added, added, added, 0, 1, 2);
    assertThat(replayed.lanes().getFirst().body()).hasSize(9);
  }

  @Test
  void aFormWithoutNumbersIsRefused() {
    Form none = FormParser.parse("form none\nbarrier B\nlane main: sm(32) { barrier B }\n");
    assertThat(GraphReplay.affects(none)).isFalse();
    assertThatThrownBy(() -> new GraphReplay(1, false).of(none))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining("nothing that a graph repeats: program=none");
  }

  @Test
  void withoutAGraphAFormStays() {
    assertThat(GraphReplay.NONE.of(form())).isEqualTo(form());
  }
}
