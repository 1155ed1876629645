package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Violations that need certain words of inputs in each of many launches. */
class LateWordsTest {
  /** After so many launches of full size one after another, a lane awaits one credit too few. */
  private static final String CREDIT =
      """
      form late
      uniform size[8]
      input in[64]
      output out[64]
      scratch box[64]
      signal D[1]
      signal F[1]
      ensure load c <- size[0] <= 64: out[0] = in@((r - 1) % n)[0] bytes c
      lane main: sm(32) {
        state run
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        load c <- size[0] <= 64 else 1
        if run < RUN {
          await F[0]@succ reached epoch - 1 acquire
        } else {
          await F[0]@succ reached epoch - 2 acquire
          set run = 0
        }
        move box@succ[0] <- in[0] bytes c
        signal D[0]@succ set epoch release
        await D[0]@pred reached epoch acquire
        move out[0] <- box[0] bytes c
        signal F[0]@pred set epoch release
        flush @succ local
        if c == 64 {
          set run = min(run, 20) + 1
        } else {
          set run = 0
        }
      }
      """;

  private static CheckReport report(int run) {
    Topology topology = Topology.parse("1x2");
    String text = CREDIT.replace("RUN", Integer.toString(run));
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    return new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 3))
        .anyLaunches()
        .explore(program, topology);
  }

  /** The words of up to 31 launches are in the token; later ones have the first turn. */
  @ParameterizedTest
  @ValueSource(ints = {3, 9, 14, 18})
  void aViolationThatNeedsManyLaunchesHasAToken(int run) {
    CheckReport report = report(run);
    Violation found = report.verdict().violation().orElseThrow();
    assertThat(found.kind()).isEqualTo("race");
    assertThat(report.verdict().launches()).isGreaterThan(run);
    String token = report.found().orElseThrow().token().orElseThrow().toString();
    assertThat(token).contains("_turns.");
    assertThat(found.trace()).isNotEmpty();
  }

  /** Where no search of as many launches meets it again, it is a violation nevertheless. */
  @Test
  void aViolationWithoutATraceIsOne() {
    CheckReport nothing = report(1000);
    assertThat(nothing.verdict().violation()).isEmpty();
    CheckReport met = nothing.unrepeated(40, Finding.Kind.RACE);
    assertThat(met.verdict().holds()).isFalse();
    assertThat(met.verdict().violation().orElseThrow().message())
        .contains("race in launch 40", "--launches 40");
    assertThat(met.found().orElseThrow().token()).isEmpty();
    assertThat(met.closed()).isFalse();
  }
}
