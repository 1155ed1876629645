package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.FewUnorderedComponents;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Endings;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each unordered request has a clock component, which is reused once its lane knows that it ended.
 * Reuse changes no result, and the simulator reports a lack of components. {@code -Pthorough
 * -Doriel.oracle.times=10} runs ten times as many programs.
 */
class UnorderedPutProgramsTest {
  private static final long TIMES = Long.getLong("oriel.oracle.times", 1);
  private static final long MAX_STEPS = 5_000;

  /** The plain search distinguishes every event, and so needs no components. */
  @ParameterizedTest
  @CsvSource({"L2, 150", "rdma-strict, 100", "'L2,proxy=1', 60"})
  void machineAndPlainSearchAgree(String profile, int all) {
    int programs = Thorough.count(all / 5, all);
    int compared = 0;
    int races = 0;
    for (long seed = 0; compared < TIMES * programs; seed++) {
      String text = UnorderedPutPrograms.text(seed, 2, 4, 4 + (int) (seed % 3));
      try {
        PlainComparison result = PlainComparison.of(text, "2x1", Profile.parse(profile), MAX_STEPS);
        assertThat(result.disagreement()).as("%s seed=%d%n%s", profile, seed, text).isEmpty();
        races += result.plain().found.contains(Kind.RACE) ? 1 : 0;
        compared++;
      } catch (PlainSearch.TooLargeException | ProgramException e) {
        // Rejected, or too large for a plain search: another is drawn.
      }
    }
    assertThat(races).isBetween(compared / 10, compared - compared / 10);
  }

  /**
   * Compares the executions step by step with those of a machine that never reuses a component: the
   * same findings at the same steps.
   */
  @Test
  void reuseOfAComponentChangesNothing() throws Exception {
    EngineMutant fresh =
        new EngineMutant(
            "RequestQueues",
            "if (s.settled[component] <= s.clocks.at(leader, component)) {",
            "if (false) {");
    UnaryOperator<String> never = MutantLoader.battery(MutantLoader.Engine.UNORDERED_PUTS, fresh);
    UnaryOperator<String> again = new RandomWalkEndings();
    String[] heads = {"2x1 L2", "2x1 L3", "3x1 rdma-strict", "2x1 L2,proxy=1", "3x1 L3", "2x1 L1"};
    int races = 0;
    int holds = 0;
    long programs = TIMES * Thorough.count(60, 300);
    for (int seed = 0; seed < programs; seed++) {
      String head = heads[seed % heads.length];
      int world = head.charAt(0) - '0';
      String program = head + "\n" + UnorderedPutPrograms.text(seed, world, 24, 4 + seed % 13);
      try {
        String ends = again.apply(program);
        assertThat(ends).as(program).isEqualTo(never.apply(program));
        races += ends.contains("RACE") ? 1 : 0;
        holds += ends.contains("holds") ? 1 : 0;
      } catch (ProgramException e) {
        // It cannot be bound: another is drawn.
      }
    }
    assertThat(races).isGreaterThan((int) programs / 12);
    assertThat(holds).isGreaterThan((int) programs / 12);
  }

  /** The results of a search, and whether it reported that it left something out. */
  private record Searched(Endings endings, boolean cut) {
    static Searched of(String text, String shape, Profile profile, Optional<Integer> components) {
      Topology topology = Topology.parse(shape);
      Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
      LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
      ExecutionSettings settings =
          new ExecutionSettings(profile, 1, DetectorSet.ALL, TimeoutPolicy.NEVER);
      Simulation simulation =
          components
              .map(few -> FewUnorderedComponents.of(program, topology, lowered, settings, few))
              .orElseGet(() -> new Simulation(program, topology, lowered, settings));
      Endings endings = Endings.systematic(simulation, false, Battery::memory);
      return new Searched(endings, simulation.unorderedCut());
    }
  }

  /** With one component or two, the results are the same, or a bound is reported. */
  @ParameterizedTest
  @CsvSource({"1, L2", "2, L2", "1, L3", "2, L3", "1, rdma-strict", "2, 'L2,proxy=1'"})
  void tooFewComponentsAreReportedAsABound(int components, String name) {
    Profile profile = Profile.parse(name);
    int missed = 0;
    int exact = 0;
    for (long seed = 0; seed < TIMES * 150; seed++) {
      String text = UnorderedPutPrograms.text(seed, 2, 4, 4 + (int) (seed % 3));
      try {
        Searched all = Searched.of(text, "2x1", profile, Optional.empty());
        Searched few = Searched.of(text, "2x1", profile, Optional.of(components));
        assertThat(all.cut()).isFalse();
        boolean same =
            all.endings().found.equals(few.endings().found)
                && all.endings().outcomes.equals(few.endings().outcomes);
        assertThat(same || few.cut()).as("components=%d%n%s", components, text).isTrue();
        // After a missed race another finding may follow; a correct program has no findings.
        assertThat(few.endings().found.isEmpty() || !all.endings().found.isEmpty())
            .as("components=%d%n%s", components, text)
            .isTrue();
        missed += same ? 0 : 1;
        exact += few.cut() ? 0 : 1;
      } catch (ProgramException e) {
        // It cannot be bound: another is drawn.
      }
    }
    assertThat(missed).isPositive();
    assertThat(exact).isGreaterThan((int) TIMES * 40);
  }
}
