package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.FaultPlan;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of a campaign together do what one run does, and find nothing else. */
class CampaignPartsTest {
  private static final Budget BUDGET = new Budget(30, 100_000, 10_000, 50_000_000);

  /** The work of each strategy: executions and states. */
  private record Work(long executions, long states) {
    Work plus(Work other) {
      return new Work(executions + other.executions, states + other.states);
    }
  }

  private static Checker checker(Strategy strategy, CampaignShard shard) {
    return new Checker(strategy, BUDGET, 1, Checker.strict(Profile.L2, 2), FaultPlan.NONE, shard)
        .drawing()
        .anyLaunches();
  }

  private static List<CheckReport> parts(
      Strategy strategy, int count, Program program, Topology topology) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> checker(strategy, new CampaignShard(i, count)).explore(program, topology))
        .toList();
  }

  private static Map<Strategy, Work> work(List<CheckReport> reports) {
    Map<Strategy, Work> work = new EnumMap<>(Strategy.class);
    for (CheckReport report : reports) {
      for (CheckReport.Part part : report.parts()) {
        work.merge(part.strategy(), new Work(part.executions(), part.states()), Work::plus);
      }
    }
    return work;
  }

  private static List<String> kinds(List<CheckReport> reports) {
    return reports.stream()
        .map(report -> report.verdict().violation())
        .flatMap(Optional::stream)
        .map(Verdict.Violation::kind)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void theyDoTheWorkOfOneRun(int count) {
    Form form =
        FormParser.parse(
            """
            form both
            scratch word[8]
            scratch one[8]
            scratch two[8]
            lane first: host { atomic one[0] <- word[0] cas 0, 1 }
            lane second: host { atomic two[0] <- word[0] cas 0, 2 }
            """);
    Topology topology = Topology.parse("1x1");
    Program program = Program.bind(form, 1, Map.of());
    CheckReport whole = checker(Strategy.PORTFOLIO, CampaignShard.WHOLE).explore(program, topology);
    List<CheckReport> parts = parts(Strategy.PORTFOLIO, count, program, topology);
    assertThat(work(parts)).isEqualTo(work(List.of(whole)));
    assertThat(Objects.requireNonNull(work(parts).get(Strategy.SYNCHRONISATION)).states())
        .isPositive();
    assertThat(kinds(parts)).isEmpty();
    assertThat(parts)
        .allSatisfy(
            part -> assertThat(part.verdict().bounds()).last().asString().startsWith("shard: "));
    // What follows a search in which nothing is found is not divided.
    assertThat(parts.getFirst().closed()).isEqualTo(whole.closed());
  }

  /** A value of an input on which a program fails is found by a campaign, too. */
  @Test
  void theyDrawInputs() {
    Form form =
        FormParser.parse(
            """
            form loads
            input in[32]
            scratch word[8]
            lane main: host {
              load a <- in[0]
              check a != 37 else 1
            }
            """);
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(form, 2, Map.of());
    assertThat(kinds(parts(Strategy.PORTFOLIO, 3, program, topology))).containsExactly("check");
    assertThat(kinds(parts(Strategy.RANDOM, 3, program, topology))).containsExactly("check");
  }

  /** A wait that may miss a value and still ends is an alarm of no part, as of no run. */
  @ParameterizedTest
  @EnumSource(names = {"RANDOM", "PORTFOLIO"})
  void theyRaiseNoAlarmThatOneRunDoesNotRaise(Strategy strategy) {
    String text =
        """
        form freed
        scratch word[8]
        scratch data[8]
        lane waits: host {
          wait word[0] == 0 relaxed
        }
        lane takes: host {
          atomic data[0] <- word[0] cas 0, 1
          store word[0] <- 0 relaxed
          %s
        }
        """;
    Topology topology = Topology.parse("1x1");
    Program freed = Program.bind(FormParser.parse(text.formatted("")), 1, Map.of());
    List<CheckReport> parts = parts(strategy, 3, freed, topology);
    assertThat(kinds(parts)).isEmpty();
    Checker any = checker(strategy, CampaignShard.WHOLE);
    assertThat(any.identity(freed, topology))
        .isEqualTo(checker(strategy, new CampaignShard(2, 3)).identity(freed, topology));
    Program taken =
        Program.bind(FormParser.parse(text.formatted("store word[0] <- 1 relaxed")), 1, Map.of());
    assertThat(kinds(parts(strategy, 3, taken, topology))).contains("overwrite");
  }
}
