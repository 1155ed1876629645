package dev.oriel.sim.ranks;

import dev.oriel.ports.Window;

/**
 * What one rank does with a window, from its beginning to its end; called once for each rank of
 * each execution.
 *
 * <p>It must be a function of what it reads from the window: no clock, no thread, no random source,
 * nothing that another rank or an earlier execution left in Java's memory. It must not go on for
 * ever without a call of the window, since nobody else runs meanwhile. It lets errors pass that it
 * does not know: one of them ends its thread when an execution is over before the code is.
 */
@FunctionalInterface
public interface RankCode {

  /**
   * Runs one rank.
   *
   * @throws Exception whatever shows that something is wrong: a failed assertion, a timeout
   */
  void run(Window window, int rank) throws Exception;
}
