package dev.oriel.ports;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;

/**
 * Judges programs: runs them under many schedules and says whether their promises hold.
 *
 * <p>A runner keeps nothing between calls. The same call therefore gives the same verdict, and
 * several threads may use one runner.
 */
public interface ProgramRunner {

  /**
   * Explores the program's executions within the runner's budget, with inputs that differ by rank,
   * launch and place.
   *
   * <p>Scope: all ranks at once, in the calling thread; not collective. Order: the first violation
   * in the runner's own order is the one reported. Failure: a violation is part of the verdict,
   * never an exception; a program without end is cut off, and the verdict names the bound.
   *
   * @throws MachineException if program and topology are of different worlds, or the runner cannot
   *     execute the program
   */
  Verdict check(Program program, Topology topology);
}
