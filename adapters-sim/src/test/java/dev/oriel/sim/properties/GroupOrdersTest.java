package dev.oriel.sim.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.group.GroupText;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small groups in every order, and broken ones. */
class GroupOrdersTest {
  private static final Budget BUDGET = new Budget(3, 200_000, 2_000_000, 50_000_000);

  /** Every order of synchronisation, of small groups between few ranks. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1x2|0-1=24,1-0=8",
        "2x1|0-1=24,1-0=8",
        "2x1|0-1=8,0-1=16,1-1=8",
        "1x3|0-1=8,1-2=8,2-0=8",
        "3x1|0-1=8,1-0=8,2-0=8",
        "0,2/1|0-1=8,2-1=8",
        "2x2|0-3=8,3-0=8,1-2=8"
      })
  void smallGroupsHoldInEveryOrder(String world, String group) {
    Topology topology = Topology.parse(world);
    Form form = GroupText.form(group);
    Verdict verdict = check(form, topology, Profile.L2, Strategy.SYNCHRONISATION, 1);
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).isEmpty();
  }

  @Test
  void missingWaitsAndFlushesAreFound() {
    Form form = GroupText.form("0-1=24,1-2=24,2-0=24,1-0=8");
    for (String left : List.of("await READY", "await DATA", "flush")) {
      List<String> lines = FormPrinter.print(form).lines().toList();
      int at = 0;
      while (!lines.get(at).strip().startsWith(left)) {
        at++;
      }
      List<String> fewer = new ArrayList<>(lines);
      fewer.remove(at);
      Form broken = FormParser.parse(String.join("\n", fewer));
      assertThat(check(broken, Topology.parse("3x1"), Profile.L2, Strategy.RANDOM, 3).violation())
          .as("without %s", lines.get(at))
          .isPresent();
    }
  }

  private static Verdict check(
      Form form, Topology world, Profile profile, Strategy strategy, long seed) {
    return new Checker(strategy, BUDGET, seed, Checker.strict(profile, 3))
        .check(Program.bind(form, world.world(), Map.of()), world);
  }
}
