package dev.oriel.sim.ranks;

import dev.oriel.ports.Window;

/**
 * The code of one rank over a window; called once for each rank of each execution.
 *
 * <p>It must be a function of the values that it reads from the window. It uses no clock, thread or
 * random source, and no data that another rank or an earlier execution left in Java's memory. It
 * must not run endlessly without a call of the window, since no other rank runs meanwhile. It
 * rethrows errors that it does not know: one of them ends its thread when the execution ends first.
 */
@FunctionalInterface
public interface RankCode {

  /**
   * Runs one rank.
   *
   * @throws Exception any error shows that something is wrong: a failed assertion, a timeout
   */
  void run(Window window, int rank) throws Exception;
}
