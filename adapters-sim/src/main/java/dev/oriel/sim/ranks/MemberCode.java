package dev.oriel.sim.ranks;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;

/**
 * What one rank does from the moment it can talk to the others: it joins, makes windows, uses and
 * closes them. Subject to the same rules as {@link RankCode}; what it opened, it closes.
 */
@FunctionalInterface
public interface MemberCode {

  /**
   * Runs one rank.
   *
   * @param ranks the group of all ranks, within the execution
   * @throws Exception whatever shows that something is wrong
   */
  void run(Communicator.Factory machine, Bootstrap ranks) throws Exception;
}
