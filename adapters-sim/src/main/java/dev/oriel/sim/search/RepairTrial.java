package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.replay.ChoiceScript;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.ReplayException;
import dev.oriel.sim.replay.ScriptedChoices;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * Explores changed copies of a failing program before a report advises the change. It is
 * deterministic: the number of copies and of states is bounded, not the time.
 */
final class RepairTrial {
  private static final Budget BUDGET = new Budget(1, 4_000, 20_000, 5_000_000);

  /** The most copies that one report explores. */
  private static final int COPIES = 48;

  /** Executions of a copy that are recorded, and random ones. */
  private static final int SAMPLES = 64;

  private final Program program;
  private final Topology topology;
  private final ExecutionSettings settings;
  private final FaultPlan faults;
  private int copies;

  RepairTrial(Program program, Topology topology, ExecutionSettings settings, FaultPlan faults) {
    this.program = program;
    this.topology = topology;
    this.settings = settings;
    this.faults = faults;
  }

  Form form() {
    return program.form();
  }

  /** Whether nothing is found in one of these programs. */
  boolean repairs(List<Form> changed) {
    return changed.stream().anyMatch(form -> lacks(form, finding -> true, facts -> true));
  }

  /** The same for changes by which a lane may wait for ever, whatever is looked for. */
  boolean repairsWithoutDeadlock(List<Form> changed) {
    DetectorSet detectors = settings.detectors().with(Finding.Kind.DEADLOCK);
    RepairTrial looking = new RepairTrial(program, topology, settings.looking(detectors), faults);
    looking.copies = copies;
    boolean repaired = looking.repairs(changed);
    copies = looking.copies;
    return repaired;
  }

  /**
   * Whether one of these programs lacks a finding, perhaps with others besides. An execution ends
   * at its first finding, so the search goes on until it meets that one.
   *
   * @param same whether the facts of a finding are those of that one
   */
  boolean removes(Finding finding, List<Form> changed, Predicate<Finding> same) {
    return changed.stream()
        .anyMatch(form ->
            lacks(
                form,
                other -> other.kind() == finding.kind() && buffer(other).equals(buffer(finding)),
                same));
  }

  /** Whether a race of such accesses to that buffer is found in one launch. */
  boolean inOneLaunch(Finding race) {
    if (settings.launches() == 1 || !faults.equals(FaultPlan.NONE)) {
      return false;
    }
    try {
      ExecutionSettings one = settings.launches(1);
      Predicate<Finding> same =
          other -> other.kind() == race.kind() && other.about().equals(race.about());
      return !lacks(program, one, same, facts -> true);
    } catch (MachineException e) {
      return false;
    }
  }

  /** The buffer of a race, which its key names first. */
  private static String buffer(Finding race) {
    return race.about().replaceFirst(",.*", "");
  }

  /**
   * Whether that program can be explored and nothing like that is found.
   *
   * @param likely whether an unrecorded finding may be meant
   * @param meant whether the recorded one is
   */
  private boolean lacks(Form changed, Predicate<Finding> likely, Predicate<Finding> meant) {
    if (changed.equals(program.form()) || ++copies > COPIES) {
      return false;
    }
    try {
      Program copy = Program.bind(changed, program.world(), program.params());
      return lacks(copy, settings, likely, meant);
    } catch (ProgramException | MachineException | ReplayException e) {
      // A change that gives no valid program is no repair.
      return false;
    }
  }

  private boolean lacks(
      Program copy,
      ExecutionSettings settings,
      Predicate<Finding> likely,
      Predicate<Finding> meant) {
    Simulation explored = SimulationFactory.PROGRAMS.of(copy, topology, settings, faults);
    Simulation recorded = SimulationFactory.PROGRAMS.of(copy, topology, settings, faults);
    return new Copy(explored, recorded, likely, meant).lacks();
  }

  /** The exploration of one copy. */
  private static final class Copy {
    private final ExhaustiveSearch search;
    private final Simulation recorded;
    private final Predicate<Finding> likely;
    private final Predicate<Finding> meant;
    private boolean found;
    private int met;

    Copy(
        Simulation explored,
        Simulation recorded,
        Predicate<Finding> likely,
        Predicate<Finding> meant) {
      this.recorded = recorded;
      this.likely = likely;
      this.meant = meant;
      search = ExhaustiveSearch.of(explored, false, false, BUDGET, this::goesOn);
    }

    boolean lacks() {
      search.run();
      sample();
      return !found;
    }

    /**
     * Executes some random schedules too: a race that ends an execution hides the later ones of
     * every execution with the same order of synchronisation.
     */
    private void sample() {
      SeededSchedules.Random schedule = new SeededSchedules.Random(1);
      SamplingSearch random = new SamplingSearch(recorded, schedule, BUDGET.steps());
      for (long number = 0; !found && number < SAMPLES; number++) {
        long which = number;
        // Recording costs time, so an execution is recorded only once it has failed.
        if (random.run(() -> LongStream.of(which)).filter(likely).isPresent()) {
          found = recorded.record(() -> random.one(which)).finding().filter(meant).isPresent();
        }
      }
    }

    private boolean goesOn(Optional<Finding> finding) {
      if (finding.filter(likely).isPresent()) {
        met++;
        found = again().filter(meant).isPresent();
      }
      return !found && met < SAMPLES;
    }

    /** The execution's finding with its facts. */
    private Optional<Finding> again() {
      ChoiceScript script = ChoiceScript.of(search.path());
      ScriptedSchedule schedule =
          new ScriptedSchedule(
              () -> ScriptedChoices.strict(script), DecisionLevel.of(Strategy.SYNCHRONISATION));
      return recorded
          .record(() -> new SamplingSearch(recorded, schedule, BUDGET.steps()).one(0))
          .finding();
    }
  }
}
