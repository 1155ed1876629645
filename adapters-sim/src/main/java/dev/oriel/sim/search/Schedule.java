package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.Choices;

/** Decides one execution: who goes next, and what is left open inside a step. */
interface Schedule extends Choices {

  /** Begins the execution of that number. */
  void begin(long execution);

  /** One of the enabled agents. */
  int next(Simulation simulation, int enabled);
}
