package dev.oriel.sim.search;

import dev.oriel.sim.machine.Branch;
import dev.oriel.sim.machine.Simulation;

/** Decides one execution: who goes next, and what is left open inside a step. */
interface Schedule extends Branch {

  /** Begins the execution of that number. */
  void begin(long execution);

  /** One of the enabled agents. */
  int next(Simulation simulation, int enabled);
}
