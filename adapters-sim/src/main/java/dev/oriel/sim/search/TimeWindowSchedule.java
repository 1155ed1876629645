package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.RandomStream;

/**
 * Chooses among the steps that are due within a growing delta after the earliest, all with equal
 * probability. With a delta of 0 it follows the order of virtual time and makes no random choice.
 */
final class TimeWindowSchedule implements ExecutionSchedule {
  private final long seed;
  private final WindowDelta delta;
  private final ReadyTimes times;
  private RandomStream source = RandomStream.of(0);
  private long execution;
  private long step;

  TimeWindowSchedule(long seed, WindowTiming pace) {
    this.seed = seed;
    this.delta = pace.delta();
    times = new ReadyTimes(pace.links());
  }

  @Override
  public void begin(long which) {
    source = RandomStream.of(seed, which);
    execution = which;
    step = 0;
    times.begin();
  }

  @Override
  public int next(Simulation simulation, int enabled) {
    times.look(simulation, enabled);
    long wide = delta.at(execution, step++);
    int count = times.candidates(simulation, enabled, wide);
    int agent = count == 1 ? times.first() : times.candidate(simulation, source.below(count), wide);
    times.take(agent);
    return agent;
  }

  @Override
  public int choose(int options) {
    return delta.equals(WindowDelta.NONE) ? 0 : source.below(options);
  }

  /** The time of the last step, in picoseconds. */
  long now() {
    return times.now();
  }
}
