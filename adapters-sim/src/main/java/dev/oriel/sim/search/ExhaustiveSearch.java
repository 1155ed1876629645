package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import java.util.Optional;
import java.util.function.Predicate;

/** Explores every execution, or as many as a budget allows. */
interface ExhaustiveSearch {

  /**
   * The search that fits the machine.
   *
   * @param full whether every order of every step is explored, or every order of synchronisation
   * @param symmetric whether equivalent ranks represent each other, where that can be decided
   * @param end receives the end of each execution; true continues the search
   */
  static ExhaustiveSearch of(
      Simulation simulation,
      boolean full,
      boolean symmetric,
      Budget budget,
      Predicate<Optional<Finding>> end) {
    if (simulation.guide().isPresent()) {
      return new RestartingSearch(simulation, full, budget, end);
    }
    SystematicSearch search = new SystematicSearch(simulation, full, budget, end);
    return symmetric ? search.symmetric() : search;
  }

  /** Explores all executions, until {@code end} stops it or a limit is reached. */
  void run();

  /** Executions that completed. */
  long executions();

  /** Distinct states. */
  long states();

  long steps();

  /** The first limit that was reached, if any. */
  Optional<SearchLimit> cut();

  /** The decisions that lead to the point at which the search stopped. */
  int[] path();
}
