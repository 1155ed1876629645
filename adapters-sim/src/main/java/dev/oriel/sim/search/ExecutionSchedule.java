package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.ChoiceSource;

/** Decides one execution: the agent of each step, and the choices inside the step. */
interface ExecutionSchedule extends ChoiceSource {

  /** Begins the execution of that number. */
  void begin(long execution);

  /** Chooses one of the enabled agents. */
  int next(Simulation simulation, int enabled);
}
