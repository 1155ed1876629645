package dev.oriel.sim.ranks;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.sim.machine.Detectors;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.Timeouts;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.GuidedProgram;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One window of ranks that run on threads of their own, executed by the machine first come, first
 * served; time passes where all of them wait.
 */
final class LiveWorld {
  private final Profile profile;
  private final Topology topology;
  private final List<LiveRank> ranks;
  private final CompletableFuture<Optional<String>> violation = new CompletableFuture<>();
  private int joined;

  LiveWorld(Profile profile, Topology topology) {
    this.profile = profile;
    this.topology = topology;
    ranks = Stream.generate(LiveRank::new).limit(topology.world()).toList();
  }

  /** What was wrong with what the ranks did together, once they have all left. */
  Optional<String> violation() throws Exception {
    return joined == 0 ? Optional.empty() : violation.get(60, TimeUnit.SECONDS);
  }

  private synchronized void join(WindowSpec spec) {
    if (++joined == topology.world()) {
      Thread.startVirtualThread(() -> run(spec));
    }
  }

  private void run(WindowSpec spec) {
    try {
      GuidedProgram guided =
          new GuidedProgram(
              WindowForm.program("live", spec, topology.world()),
              WindowForm.lowered("live", spec, topology),
              simulation -> new Ranks(simulation, ranks, () -> {}));
      Simulation.Terms terms = new Simulation.Terms(profile, 1, Detectors.ALL, Timeouts.QUIESCENCE);
      Budget once = new Budget(0, 1, 100_000_000, 1);
      violation.complete(
          new Checker(Strategy.FIFO, once, 1, terms)
              .explore(guided, topology)
              .verdict()
              .violation()
              .map(v -> v.kind() + ": " + v.message()));
    } catch (Throwable e) {
      violation.completeExceptionally(e);
      ranks.forEach(LiveRank::stop);
    }
  }

  /** The membership of one rank. */
  Communicator communicator(Bootstrap bootstrap) {
    return new Communicator() {
      @Override
      public int rank() {
        return bootstrap.rank();
      }

      @Override
      public int world() {
        return topology.world();
      }

      @Override
      public Topology topology() {
        return topology;
      }

      @Override
      public Window window(WindowSpec spec) {
        join(spec);
        Desk desk = ranks.get(rank()).desk;
        return new RankWindow(spec, world(), rank(), desk, false, desk::leave);
      }

      @Override
      public void close() {}
    };
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
