package dev.oriel.sim.ranks;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;

/**
 * The code of one rank from the moment at which it can talk to the others: it joins, makes windows,
 * uses and closes them. The rules of {@link RankCode} apply. It closes everything that it opens.
 */
@FunctionalInterface
public interface MemberCode {

  /**
   * Runs one rank.
   *
   * @param ranks the group of all ranks, within the execution
   * @throws Exception any error shows that something is wrong
   */
  void run(Communicator.Factory machine, Bootstrap ranks) throws Exception;
}
