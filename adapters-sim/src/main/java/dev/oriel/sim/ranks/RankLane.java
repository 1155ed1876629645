package dev.oriel.sim.ranks;

import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.BitSet;
import java.util.Set;

/**
 * What all windows of one rank share in one execution: the desk where they ask, what was put and
 * got through the one lane, and the arena.
 */
final class RankLane {
  private static final StackWalker STACK = StackWalker.getInstance();
  private static final long LONGEST = Long.MAX_VALUE / 4;

  /** Frames of these are no code of the rank. */
  private static final Set<String> OWN =
      Set.of(
          "dev.oriel.ports.Window",
          "dev.oriel.ports.Bootstrap",
          "dev.oriel.sim.ranks.RankWindow",
          "dev.oriel.sim.ranks.RankGroup",
          "dev.oriel.sim.ranks.RankLane",
          "dev.oriel.sim.ranks.RankBuffer",
          "dev.oriel.sim.ranks.RankBootstrap",
          "dev.oriel.sim.ranks.RankCommunicator",
          "dev.oriel.sim.ranks.RankCommunicator$Part",
          "dev.oriel.sim.ranks.RankCommunicators");

  private static final String SETUP = "dev.oriel.sim.setup.";

  final int rank;
  final int world;
  final ArenaMemory memory;
  private final Desk desk;
  private final boolean told;

  /** Peers that were put to behind the last fence. */
  final BitSet unfenced = new BitSet();

  /** Peers that were got from behind the last flush of each. */
  final BitSet got = new BitSet();

  private int groups;
  private long rounds;

  RankLane(int rank, int world, Arena arena, Desk desk, boolean told) {
    this.rank = rank;
    this.world = world;
    this.memory = new ArenaMemory(arena, rank);
    this.desk = desk;
    this.told = told;
  }

  /** The number of the next communicator: all ranks join in one order. */
  int nextGroup() {
    return groups++;
  }

  /** The number of the next meeting of all ranks, from 1. */
  long nextRound() {
    return ++rounds;
  }

  /** Whether anybody will read what requests say of themselves. */
  boolean told() {
    return told;
  }

  Reply ask(Request request) {
    return desk.ask(request);
  }

  /** Where the rank's code stands. */
  static String site() {
    return STACK.walk(frames ->
        frames
            .filter(f -> !OWN.contains(f.getClassName()))
            .filter(f -> !f.getClassName().startsWith("java."))
            .filter(f -> !f.getClassName().startsWith(SETUP))
            .findFirst()
            .map(f -> f.getFileName() + ":" + f.getLineNumber())
            .orElse("unknown place"));
  }

  long nanos(Duration deadline) {
    Deadline.check(deadline);
    if (Thread.currentThread().isInterrupted()) {
      throw new MachineException(
          "interrupted while waiting: rank=%d; the window stays usable".formatted(rank));
    }
    return deadline.compareTo(Duration.ofNanos(LONGEST)) > 0 ? LONGEST : deadline.toNanos();
  }
}
