package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.ChoiceSource;
import java.util.function.Supplier;

/**
 * Takes the decisions of a script in the order in which tokens count them. Each step has one
 * decision for its agent, by its index among the enabled agents in the order of their numbers. The
 * decisions inside the step follow. At the level of synchronisation, a step without a choice has no
 * decision.
 */
final class ScriptedSchedule implements ExecutionSchedule {
  private final Supplier<? extends ChoiceSource> answers;
  private final DecisionLevel level;
  private ChoiceSource current;
  private boolean settled;

  ScriptedSchedule(Supplier<? extends ChoiceSource> answers, DecisionLevel level) {
    this.answers = answers;
    this.level = level;
    this.current = answers.get();
  }

  @Override
  public void begin(long execution) {
    current = answers.get();
  }

  @Override
  public int next(Simulation simulation, int enabled) {
    int agent = level.settled(simulation, enabled);
    settled = agent >= 0;
    return settled ? agent : simulation.enabledAt(current.choose(enabled));
  }

  @Override
  public int choose(int options) {
    return settled ? 0 : current.choose(options);
  }
}
