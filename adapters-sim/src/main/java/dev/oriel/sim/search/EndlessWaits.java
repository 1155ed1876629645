package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.Optional;

/**
 * Decides whether a wait may last forever in a program in which a wait may miss a value. Such a
 * wait may still end with a later value. The search covers every execution in which awaits take a
 * value or miss all values. Beyond its limits, the question stays open.
 */
final class EndlessWaits {
  /** The most states of that search; more would delay every finding. */
  private static final int STATES = 100_000;

  private static final long STEPS = 100_000;
  private static final long WORK = 50_000_000;

  private enum Answer {
    ALL_END,
    ONE_IS_ENDLESS,
    OPEN
  }

  private final Simulation simulation;
  private boolean endless;

  private EndlessWaits(Simulation simulation) {
    this.simulation = simulation;
  }

  /**
   * Whether every wait is proved to end. Orders of synchronisation suffice for programs without
   * races. Where races are allowed, a search of every order of every step may still find a wait
   * that does not end.
   *
   * @param full whether the proof must hold with races, too, if they are allowed
   */
  static boolean none(
      Program program,
      Topology topology,
      LoweredForm lowered,
      ExecutionSettings settings,
      FaultPlan faults,
      boolean full) {
    if (settings.timeouts() != TimeoutPolicy.NEVER || !faults.equals(FaultPlan.NONE)) {
      return false;
    }
    Simulation simulation =
        SimulationFactory.of(
            program,
            topology,
            lowered,
            settings.looking(DetectorSet.VALUES).missingAwaits(),
            FaultPlan.NONE);
    if (simulation.hasPackets()) {
      return false;
    }
    boolean races = settings.profile().ordered() || !settings.detectors().finds(Finding.Kind.RACE);
    if (races && full) {
      return new EndlessWaits(simulation).answer(true) == Answer.ALL_END;
    }
    return new EndlessWaits(simulation).answer(false) == Answer.ALL_END
        && !(races && new EndlessWaits(simulation).answer(true) == Answer.ONE_IS_ENDLESS);
  }

  private Answer answer(boolean full) {
    Budget budget = new Budget(1, STATES, STEPS, WORK);
    ExhaustiveSearch search = ExhaustiveSearch.of(simulation, full, false, budget, this::goesOn);
    search.run();
    return endless ? Answer.ONE_IS_ENDLESS : search.cut().isEmpty() ? Answer.ALL_END : Answer.OPEN;
  }

  private boolean goesOn(Optional<Finding> finding) {
    endless |= finding.filter(f -> f.kind() == Finding.Kind.DEADLOCK).isPresent();
    return !endless;
  }
}
