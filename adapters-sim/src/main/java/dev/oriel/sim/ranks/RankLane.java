package dev.oriel.sim.ranks;

import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.WindowErrors;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * State of one lane that all windows of a rank share in one execution: the desk for requests, the
 * lane's transfers in flight, and the arena.
 */
final class RankLane {
  private static final StackWalker STACK = StackWalker.getInstance();
  private static final long LONGEST = Long.MAX_VALUE / 4;

  /** Stack frames of these classes do not belong to the rank's code. */
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
          "dev.oriel.sim.ranks.RankTransport",
          "dev.oriel.sim.ranks.RankInterfaces",
          "dev.oriel.domain.registration.RegistrationCache",
          "dev.oriel.sim.ranks.RankBootstrap",
          "dev.oriel.sim.ranks.RankCommunicator",
          "dev.oriel.sim.ranks.RankCommunicator$Part",
          "dev.oriel.sim.ranks.RankCommunicators");

  private static final String SETUP = "dev.oriel.ports.setup.";

  final int rank;

  /** 0 is the lane of the rank's own code. */
  final int number;

  final int world;
  final ArenaAllocator memory;
  private TurnHandoff desk;
  private final boolean described;

  /** Peers with puts since the last fence. */
  final BitSet unfenced = new BitSet();

  /** Peers with gets since the last flush of each. */
  final BitSet got = new BitSet();

  /** The other lanes of the rank; empty in all but its own lane. */
  final List<SecondaryLane> sides;

  /** The rank's lanes that run. */
  final ResidentLanes residents;

  /** Whether the other lanes run. */
  boolean forked;

  private int groups;
  private long rounds;

  /** The rank's own lane, with those as its other lanes. */
  RankLane(
      int rank,
      int world,
      RankArena arena,
      TurnHandoff desk,
      boolean described,
      List<SecondaryLane> sides,
      ResidentLanes residents) {
    this(rank, 0, world, new ArenaAllocator(arena, rank), desk, described, sides, residents);
    sides.forEach(side -> side.belongsTo(this));
  }

  private RankLane(
      int rank,
      int number,
      int world,
      ArenaAllocator memory,
      TurnHandoff desk,
      boolean described,
      List<SecondaryLane> sides,
      ResidentLanes residents) {
    this.rank = rank;
    this.number = number;
    this.world = world;
    this.memory = memory;
    this.desk = desk;
    this.described = described;
    this.sides = sides;
    this.residents = residents;
  }

  /** Another lane of the rank, which has no desk yet. */
  RankLane beside(int other) {
    return new RankLane(
        rank, other, world, memory, new TurnHandoff(), described, List.of(), residents);
  }

  /** The lane's code uses that desk from now on. */
  void sit(TurnHandoff other) {
    desk = other;
  }

  /** Records that none of the lane's puts and gets is in flight any more. */
  void drained() {
    unfenced.clear();
    got.clear();
  }

  /** Refuses a call that only the rank's own lane may make. */
  void requireHost() {
    if (number != 0) {
      throw WindowErrors.inLane(rank, number);
    }
  }

  /** The number of the next communicator. It agrees on all ranks, because all join in one order. */
  int nextGroup() {
    return groups++;
  }

  /** The number of the next collective round of all ranks, from 1. */
  long nextRound() {
    return ++rounds;
  }

  /** Whether reports will show the texts of requests. */
  boolean described() {
    return described;
  }

  LaneReply ask(LaneRequest request) {
    return desk.ask(request);
  }

  /** The position of the rank's code, from the stack. */
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
