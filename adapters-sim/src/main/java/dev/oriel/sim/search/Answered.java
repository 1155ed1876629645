package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.Choices;
import java.util.function.Supplier;

/**
 * Takes the decisions that a script answers, asked as tokens count them: one for each step, the
 * place of its agent among the enabled ones in the order of their numbers, then what is open inside
 * the step. At the level of synchronisation nobody is asked where no choice is open.
 */
final class Answered implements Schedule {
  private final Supplier<? extends Choices> answers;
  private final Level level;
  private Choices current;
  private boolean settled;

  Answered(Supplier<? extends Choices> answers, Level level) {
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
