package dev.oriel.domain.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;

/** What a call is expected to cost: a pure function, so that every rank is told the same. */
public interface CostModel {

  /**
   * The nanoseconds of a call that other calls precede.
   *
   * @throws dev.oriel.domain.program.ProgramException if the program cannot run there
   */
  double nanos(Program program, Topology topology);
}
