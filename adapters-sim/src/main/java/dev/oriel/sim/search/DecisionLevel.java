package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;

/** The steps of an execution that are decisions, and are therefore in its token. */
enum DecisionLevel {
  /** Only steps whose outcome depends on when they are taken; other steps precede them. */
  SYNCHRONISATION,
  /** Every step. */
  FULL;

  /** The level at which a strategy decides. */
  static DecisionLevel of(Strategy strategy) {
    return strategy == Strategy.SYNCHRONISATION ? SYNCHRONISATION : FULL;
  }

  /** An agent whose step is no decision; -1 if an agent has to be chosen. */
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
