package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.finding.ExecutionRecord.Place;
import dev.oriel.sim.machine.settings.Profile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The operations that a report names besides its message. */
class NamedPlacesTest {
  private static final String SHORT =
      """
      form short
      input in[32]
      output out[32]
      window box[32]
      ensure out[0] = in[0] bytes 32
      lane main: sm(32) {
        move out[0] <- in[0] bytes 8
        sync
        move box[0] <- in[0] bytes 16
        sync
        move box[16] <- in[16] bytes 16
        sync
        move out[8] <- box[8] bytes 24
      }
      """;

  private static final String OVERWRITTEN =
      """
      form overwritten
      input in[8]
      output out[8]
      scratch box[16]
      lane main: sm(32) {
        if r == 0 {
          move box@1[0] pkt8(epoch) <- in[0] bytes 8
        }
        if r == 1 {
          move out[0] <- box[0] pkt8(epoch) bytes 8
        }
      }
      """;

  /** The kind, then the operations, each with its rank. */
  private static List<String> places(String text, int launches) {
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    CheckReport report =
        new Checker(
                Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, launches))
            .explore(program, topology);
    List<RewriteSite> sites = RewriteSite.of(program.form());
    return report.found().orElseThrow().places().stream()
        .map(place -> place.rank() + " " + head(sites, place))
        .toList();
  }

  private static String head(List<RewriteSite> sites, Place place) {
    return place.isEnsure() ? "ensure" : FormPrinter.head(sites.get(place.operation()).op());
  }

  @Test
  void theCopiesOfAWrongByteAreNamed() {
    assertThat(places(SHORT.replace("move box[0] <- in[0]", "move box[0] <- in[8]"), 1))
        .containsExactly(
            "0 move box[0] <- in[8] bytes 16", "0 move out[8] <- box[8] bytes 24", "0 ensure");
  }

  @Test
  void theWriteThatEndedBeforeAByteWithoutAWriteIsNamed() {
    assertThat(places(SHORT.replace("box[8] bytes 24", "box[8] bytes 20"), 1))
        .containsExactly("0 move out[8] <- box[8] bytes 20", "0 ensure");
    assertThat(places(SHORT.replace("in[0] bytes 16", "in[0] bytes 15"), 1))
        .containsExactly(
            "0 move box[0] <- in[0] bytes 15", "0 move out[8] <- box[8] bytes 24", "0 ensure");
    assertThat(places(SHORT.replace("in[0] bytes 8", "in[0] bytes 0"), 1))
        .containsExactly("0 move out[0] <- in[0] bytes 0", "0 ensure");
  }

  /** The write of an earlier launch is no write of this one. */
  @Test
  void aWriteOfAnEarlierLaunchIsNotNamed() {
    String later =
        SHORT.replace(
            "move out[0] <- in[0] bytes 8\n", "if epoch == 1 {\nmove out[0] <- in[0] bytes 8\n}\n");
    assertThat(later).isNotEqualTo(SHORT);
    assertThat(places(later, 2)).containsExactly("0 ensure");
  }

  /** Words may be written in another order than that of the steps, so nothing is said of them. */
  @Test
  void noWriteIsNamedBesideAWord() {
    String word =
        SHORT.replace(
            "move box[0] <- in[0] bytes 16",
            "move box[0] <- in[0] bytes 8\n store box[8] <- 1 release");
    assertThat(places(word, 1))
        .doesNotContain("0 move box[0] <- in[0] bytes 8")
        .contains("0 ensure");
  }

  @Test
  void bothWritesAndTheReadOfAValueThatMayBeOverwrittenAreNamed() {
    assertThat(places(OVERWRITTEN, 2))
        .containsExactly(
            "0 move box@(1)[0] pkt8(epoch) <- in[0] bytes 8",
            "1 move out[0] <- box[0] pkt8(epoch) bytes 8");
  }
}
