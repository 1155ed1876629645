package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where no argument covers all launches, some long executions are drawn. */
class LaterLaunchesTest {
  private static CheckReport explore(String operations, Budget budget) {
    String text =
        """
        form later
        signal T[1]
        scratch box[8]
        barrier done
        lane main: sm(32) {
          state s
          %s
          barrier done
        }
        """
            .formatted(operations);
    Topology topology = Topology.parse("1x2");
    return new Checker(Strategy.PORTFOLIO, budget, 1, Checker.strict(Profile.L2, 3))
        .anyLaunches()
        .explore(Program.bind(FormParser.parse(text), topology.world(), Map.of()), topology);
  }

  private static CheckReport explore(String operations) {
    return explore(operations, Budget.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "check epoch != 257 else 1 | check",
        "set s = s + 1 check s < 100 else 1 | check",
        "set s = (s + 1) % 13 check s < 12 else 1 | check",
        "if epoch % 91 == 90 { move box@all[0] <- box[0] bytes 8 } | race",
        "if epoch > 40 { if r == 0 { await T[0]@1 == epoch acquire } } if r == 1 {"
            + " signal T[0]@0 set min(epoch, 40) release } | deadlock"
      })
  void aMistakeOfALaterLaunchIsFound(String operations, String kind) {
    CheckReport report = explore(operations);
    assertThat(report.verdict().violation())
        .hasValueSatisfying(found -> assertThat(found.kind()).isEqualTo(kind));
    assertThat(report.verdict().launches()).isEqualTo(300);
    assertThat(report.found().orElseThrow().token()).isPresent();
  }

  /** A wait may miss the first 1, but not the second. */
  @Test
  void aMissedValueThatComesAgainIsNoMistake() {
    String twice =
        "if epoch > 40 { if r == 0 { signal T[0]@1 set 1 release signal T[0]@1 set 2 release"
            + " signal T[0]@1 set 1 release } if r == 1 { await T[0]@0 == 1 acquire } }";
    CheckReport report = explore(twice);
    assertThat(report.found()).isEmpty();
    assertThat(report.closed()).isFalse();
    assertThat(report.anyLaunches().orElseThrow().drawn()).isEqualTo(300);
  }

  /** One order shows the first launch with a wait that may miss its value. */
  @Test
  void aMissedValueOfALaterLaunchIsFound() {
    String once =
        "if epoch == 41 { if r == 0 { signal T[0]@1 set 1 release signal T[0]@1 set 2 release }"
            + " if r == 1 { await T[0]@0 == 1 acquire } }";
    CheckReport report = explore(once);
    assertThat(report.verdict().violation())
        .hasValueSatisfying(found -> assertThat(found.kind()).isIn("overwrite", "deadlock"));
    assertThat(report.verdict().launches()).isBetween(41, 300);
  }

  @Test
  void launchesAreAsManyAsTheBudgetAllows() {
    Budget few = new Budget(1, 1_000, 5_000_000, 500_000_000);
    AnyLaunches any = explore("check epoch != 257 else 1", few).anyLaunches().orElseThrow();
    assertThat(any.drawn()).isBetween(4, 256);
    assertThat(any.steps()).isPositive();
    assertThat(explore("sync").closed()).isTrue();
    assertThat(explore("sync").anyLaunches().orElseThrow().drawn()).isZero();
  }
}
