package dev.oriel.sim.ranks;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Abort;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.DrivenProgram;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * Ranks that run on their own threads. The machine executes their requests first come, first
 * served; time passes when all of them wait.
 */
final class LiveWorld {
  private static final MemberCode ELSEWHERE = (machine, ranks) -> {};

  private final Profile profile;
  private final Topology topology;
  private final RankArena arena;
  private final List<BorrowedThreadSource> codes;
  private final List<LiveRank> ranks;
  private final CompletableFuture<Optional<String>> violation = new CompletableFuture<>();
  private int joined;

  LiveWorld(Profile profile, Topology topology, RankArena arena) {
    this.profile = profile;
    this.topology = topology;
    this.arena = arena;
    codes =
        IntStream.range(0, topology.world())
            .mapToObj(rank -> new BorrowedThreadSource(SecondaryLane.of(rank, arena)))
            .toList();
    ranks = codes.stream().map(LiveRank::new).toList();
  }

  /** The violation of a common check of the ranks, once all have left. */
  Optional<String> violation() throws Exception {
    return full() ? violation.get(60, TimeUnit.SECONDS) : Optional.empty();
  }

  /** Whether all ranks have joined. */
  synchronized boolean full() {
    return joined == topology.world();
  }

  /** A rank joins; the machine starts with the last one. */
  synchronized void join() {
    joined++;
    if (full()) {
      Thread.startVirtualThread(this::run);
    }
  }

  private void run() {
    try {
      DrivenProgram guided =
          new DrivenProgram(
              WindowForm.program("live", arena, ELSEWHERE, topology.world()),
              WindowForm.lowered("live", arena, ELSEWHERE, topology),
              simulation -> new RankCodeDriver(simulation, ranks, arena, () -> {}, 100));
      ExecutionSettings settings =
          new ExecutionSettings(profile, 1, DetectorSet.ALL, TimeoutPolicy.QUIESCENCE);
      Budget once = new Budget(0, 1, 100_000_000, 1);
      violation.complete(
          new Checker(Strategy.FIFO, once, 1, settings)
              .explore(guided, topology)
              .verdict()
              .violation()
              .map(v -> v.kind() + ": " + v.message()));
    } catch (Throwable e) {
      violation.completeExceptionally(e);
      ranks.forEach(LiveRank::stop);
    }
  }

  /** The membership of one rank that has joined; {@code own} is its part of the arena. */
  Communicator communicator(Bootstrap bootstrap, RankArena own) {
    int rank = bootstrap.rank();
    TurnHandoff desk = codes.get(rank).desk;
    RankLane lane =
        new RankLane(
            rank, topology.world(), own, desk, false, codes.get(rank).sides, new ResidentLanes(0));
    try {
      RankBootstrap group = new RankBootstrap(lane, bootstrap.deadline());
      Communicator inner = new RankCommunicators(lane, topology).join(group);
      return new Leaving(inner, lane, desk);
    } catch (RuntimeException e) {
      desk.leave();
      throw e;
    }
  }

  /** A communicator whose rank ends when it closes. */
  private static final class Leaving implements Communicator {
    private final Communicator inner;
    private final RankLane lane;
    private final TurnHandoff desk;
    private boolean left;

    Leaving(Communicator inner, RankLane lane, TurnHandoff desk) {
      this.inner = inner;
      this.lane = lane;
      this.desk = desk;
    }

    @Override
    public int rank() {
      return inner.rank();
    }

    @Override
    public int world() {
      return inner.world();
    }

    @Override
    public Topology topology() {
      return inner.topology();
    }

    @Override
    public Window window(WindowSpec spec, Team peers) {
      return inner.window(spec, peers);
    }

    @Override
    public Window window(WindowSpec spec, Team peers, LocalBuffer part) {
      return inner.window(spec, peers, part);
    }

    @Override
    public LocalBuffer buffer(long bytes) {
      return inner.buffer(bytes);
    }

    @Override
    public LocalBuffer buffer(UserMemory memory) {
      return inner.buffer(memory);
    }

    @Override
    public void lanes(int count, Executor threads, Lane.Code code) throws TimeoutException {
      inner.lanes(count, threads, code);
    }

    @Override
    public Abort abort(String cause) {
      return inner.abort(cause);
    }

    @Override
    public Optional<Abort> aborted() {
      return inner.aborted();
    }

    @Override
    public void close() {
      if (!desk.over()) {
        inner.close();
      }
      if (!left) {
        left = true;
        try {
          RankLaneRunner.end(lane);
        } finally {
          desk.leave();
        }
      }
    }
  }

  static Topology mixed(int world) {
    return Topology.of(
        IntStream.range(0, world)
            .mapToObj(rank ->
                rank % 2 == 0
                    ? Topology.grid(1, world).facts(rank)
                    : dev.oriel.domain.topology.RankFacts.of("far" + rank, 0))
            .toList());
  }
}
