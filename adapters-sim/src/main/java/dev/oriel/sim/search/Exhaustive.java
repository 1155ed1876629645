package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.replay.Shard;
import java.util.Optional;
import java.util.function.Predicate;

/** Goes through every execution, or as many as a budget allows. */
interface Exhaustive {

  /**
   * The search that fits the machine; one that restarts it is never dealt out to parts.
   *
   * @param full every order of every step, else every way of synchronisation
   * @param symmetric whether ranks that are alike stand for each other, where that can be told
   * @param end what is to happen with the end of each execution: whether the search goes on
   */
  static Exhaustive of(
      Simulation simulation,
      boolean full,
      boolean symmetric,
      Budget budget,
      Shard shard,
      Predicate<Optional<Finding>> end) {
    if (simulation.guide().isPresent()) {
      return new Restarting(simulation, full, budget, end);
    }
    Systematic search = new Systematic(simulation, full, budget, shard, end);
    return symmetric ? search.symmetric() : search;
  }

  /**
   * Goes through all executions, or until {@code end} says that it is enough, or a limit is hit.
   */
  void run();

  /** Executions that came to an end. */
  long executions();

  /** States that were told apart. */
  long states();

  long steps();

  /** The limit that was hit first, if any was. */
  Optional<Limit> cut();

  /** The decisions that lead to where the search stopped. */
  int[] path();
}
