package dev.oriel.domain.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;

/** The expected cost of a call: a pure function, so every rank gets the same. */
public interface CostModel {

  /**
   * The nanoseconds of a call after earlier calls.
   *
   * @throws dev.oriel.domain.program.ProgramException if the program cannot run there
   */
  double nanos(Program program, Topology topology);
}
