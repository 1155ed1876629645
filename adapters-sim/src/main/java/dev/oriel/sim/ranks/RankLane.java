package dev.oriel.sim.ranks;

import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.WindowErrors;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
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
          "dev.oriel.sim.ranks.WindowRequests",
          "dev.oriel.sim.ranks.RankTransfers",
          "dev.oriel.sim.ranks.RankSignals",
          "dev.oriel.sim.ranks.RankCounters",
          "dev.oriel.sim.ranks.RankBarriers",
          "dev.oriel.sim.ranks.RankPackets",
          "dev.oriel.sim.ranks.RankBuffer",
          "dev.oriel.sim.ranks.Transport",
          "dev.oriel.sim.ranks.RankInterfaces",
          "dev.oriel.domain.registration.RegistrationCache",
          "dev.oriel.sim.ranks.RankBootstrap",
          "dev.oriel.sim.ranks.RankCommunicator",
          "dev.oriel.sim.ranks.RankCommunicator$Part",
          "dev.oriel.sim.ranks.RankCommunicators");

  private static final String SETUP = "dev.oriel.ports.setup.";

  final int rank;

  /** 0 is that of the rank's own code. */
  final int number;

  final int world;
  final ArenaMemory memory;
  private Desk desk;
  private final boolean told;

  /** Peers that were put to behind the last fence. */
  final BitSet unfenced = new BitSet();

  /** Peers that were got from behind the last flush of each. */
  final BitSet got = new BitSet();

  /** The other lanes of the rank, which only its own one has. */
  final List<SideLane> sides;

  /** Which of the rank's lanes are at work. */
  final Residents residents;

  /** Whether the lanes are at work. */
  boolean forked;

  private int groups;
  private long rounds;

  /** The rank's own lane, beside those. */
  RankLane(
      int rank,
      int world,
      Arena arena,
      Desk desk,
      boolean told,
      List<SideLane> sides,
      Residents residents) {
    this(rank, 0, world, new ArenaMemory(arena, rank), desk, told, sides, residents);
    sides.forEach(side -> side.belongsTo(this));
  }

  private RankLane(
      int rank,
      int number,
      int world,
      ArenaMemory memory,
      Desk desk,
      boolean told,
      List<SideLane> sides,
      Residents residents) {
    this.rank = rank;
    this.number = number;
    this.world = world;
    this.memory = memory;
    this.desk = desk;
    this.told = told;
    this.sides = sides;
    this.residents = residents;
  }

  /** Another lane of the rank, which has no desk yet. */
  RankLane beside(int other) {
    return new RankLane(rank, other, world, memory, new Desk(), told, List.of(), residents);
  }

  /** The lane's code asks at that desk from now on. */
  void sit(Desk other) {
    desk = other;
  }

  /** Nothing that the lane put or got is under way any more. */
  void drained() {
    unfenced.clear();
    got.clear();
  }

  /** Refuses what only the rank's own lane may do. */
  void requireHost() {
    if (number != 0) {
      throw WindowErrors.inLane(rank, number);
    }
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
