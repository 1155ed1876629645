package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;

/** Which steps of an execution are decided, and so are written in its token. */
enum Level {
  /** Only steps whose outcome depends on when they are taken; the others go first. */
  SYNCHRONISATION,
  /** Every step. */
  FULL;

  /** The level at which a strategy decides. */
  static Level of(Strategy strategy) {
    return strategy == Strategy.SYNCHRONISATION ? SYNCHRONISATION : FULL;
  }

  /** The agent that goes on without being chosen; -1 if one is to be chosen. */
  int settled(Simulation simulation, int enabled) {
    if (this == SYNCHRONISATION) {
      for (int i = 0; i < enabled; i++) {
        int agent = simulation.enabledAt(i);
        if (!simulation.open(agent)) {
          return agent;
        }
      }
    }
    return -1;
  }
}
