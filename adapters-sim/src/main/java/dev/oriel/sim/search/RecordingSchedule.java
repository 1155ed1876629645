package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.ChoiceScript;
import dev.oriel.sim.replay.RecordingChoices;

/** Lets another schedule decide and records its decisions: see {@link ScriptedSchedule}. */
final class RecordingSchedule implements ExecutionSchedule {
  private final ExecutionSchedule inner;
  private final DecisionLevel level;
  private RecordingChoices notes = notes();
  private int decision;
  private boolean settled;

  RecordingSchedule(ExecutionSchedule inner, DecisionLevel level) {
    this.inner = inner;
    this.level = level;
  }

  private RecordingChoices notes() {
    return new RecordingChoices(options -> decision);
  }

  @Override
  public void begin(long execution) {
    inner.begin(execution);
    notes = notes();
  }

  @Override
  public int next(Simulation simulation, int enabled) {
    int agent = inner.next(simulation, enabled);
    settled = level.settled(simulation, enabled) >= 0;
    if (!settled) {
      decision = 0;
      while (simulation.enabledAt(decision) != agent) {
        decision++;
      }
      notes.choose(enabled);
    }
    return agent;
  }

  @Override
  public int choose(int options) {
    decision = inner.choose(options);
    return settled ? decision : notes.choose(options);
  }

  /** The decisions of the last execution. */
  ChoiceScript script() {
    return notes.script();
  }
}
