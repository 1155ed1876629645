package dev.oriel.sim.search;

import java.util.function.BooleanSupplier;

/**
 * The time that a search of all orders may take. Only the user can ask for it: results then depend
 * on the speed of the machine, and no search here reads a clock of its own.
 */
@FunctionalInterface
public interface TimeLimit {
  /** No limit. */
  TimeLimit NONE = () -> () -> false;

  /** Begins to measure; the result says whether the time is over, to several threads at once. */
  BooleanSupplier begin();
}
