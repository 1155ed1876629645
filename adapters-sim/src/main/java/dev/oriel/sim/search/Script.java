package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;

/**
 * Decisions that were noted, taken again; behind their end always the first. At the level of
 * synchronisation, agents are asked for only where a choice is open.
 */
final class Script implements Schedule {
  private final int[] decisions;
  private final boolean full;
  private int at;

  /** Whether the step under way was not asked for, so that nothing was decided inside it. */
  private boolean settled;

  Script(int[] decisions, boolean full) {
    this.decisions = decisions.clone();
    this.full = full;
  }

  @Override
  public void begin(long execution) {
    at = 0;
  }

  @Override
  public int next(Simulation simulation, int enabled) {
    settled = false;
    if (!full) {
      for (int i = 0; i < enabled; i++) {
        int agent = simulation.enabledAt(i);
        if (!simulation.open(agent)) {
          settled = true;
          return agent;
        }
      }
    }
    return simulation.enabledAt(Math.min(decide(), enabled - 1));
  }

  private int decide() {
    return at < decisions.length ? decisions[at++] : 0;
  }

  @Override
  public int choose(int options) {
    return options == 1 || settled ? 0 : Math.min(decide(), options - 1);
  }
}
