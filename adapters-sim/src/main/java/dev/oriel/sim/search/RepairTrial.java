package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.ChoiceScript;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.ScriptedChoices;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Explores changed copies of a failing program before a report advises the change. It is
 * deterministic: the number of copies and of states is bounded, not the time.
 */
final class RepairTrial {
  private static final Budget BUDGET = new Budget(1, 4_000, 20_000, 5_000_000);

  /** The most copies that one report explores. */
  private static final int COPIES = 48;

  private final Program program;
  private final Topology topology;
  private final Simulation.ExecutionSettings terms;
  private final FaultPlan faults;
  private int copies;

  RepairTrial(
      Program program, Topology topology, Simulation.ExecutionSettings terms, FaultPlan faults) {
    this.program = program;
    this.topology = topology;
    this.terms = terms;
    this.faults = faults;
  }

  Form form() {
    return program.form();
  }

  /** Whether nothing is found in one of these programs. */
  boolean repairs(List<Form> changed) {
    return changed.stream().anyMatch(form -> left(form).map(List::isEmpty).orElse(false));
  }

  /** Whether one of these programs has another finding than those, or none. */
  boolean leaves(List<Form> changed, Predicate<Finding> others) {
    return changed.stream()
        .anyMatch(form -> left(form).map(found -> found.stream().allMatch(others)).orElse(false));
  }

  /** The first finding in that program, or none; empty if it cannot be explored. */
  private Optional<List<Finding>> left(Form changed) {
    if (changed.equals(program.form()) || ++copies > COPIES) {
      return Optional.empty();
    }
    try {
      Program copy = Program.bind(changed, program.world(), program.params());
      Simulation simulation = SimulationFactory.PROGRAMS.of(copy, topology, terms, faults);
      List<Finding> found = new ArrayList<>();
      ExhaustiveSearch search =
          ExhaustiveSearch.of(
              simulation,
              false,
              false,
              BUDGET,
              CampaignShard.WHOLE,
              finding -> {
                finding.ifPresent(found::add);
                return finding.isEmpty();
              });
      search.run();
      return found.isEmpty()
          ? Optional.of(found)
          : recorded(simulation, ChoiceScript.of(search.path())).map(List::of);
    } catch (ProgramException | MachineException | ReplayException e) {
      // A change that gives no valid program is no repair.
      return Optional.empty();
    }
  }

  /** The finding of that execution with its facts. */
  private static Optional<Finding> recorded(Simulation simulation, ChoiceScript script) {
    ScriptedSchedule schedule =
        new ScriptedSchedule(
            () -> ScriptedChoices.strict(script), DecisionLevel.of(Strategy.SYNCHRONISATION));
    return simulation
        .record(() -> new SamplingSearch(simulation, schedule, BUDGET.steps()).one(0))
        .finding();
  }
}
