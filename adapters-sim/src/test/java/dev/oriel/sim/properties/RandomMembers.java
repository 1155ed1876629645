package dev.oriel.sim.properties;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.contract.RankThreads;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.ranks.MemberCode;
import dev.oriel.sim.ranks.RankArena;
import dev.oriel.sim.ranks.RankCodeExploration;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.sequential.SequentialMachine;
import dev.oriel.sim.testing.WorldArbitraries;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** Random worlds whose ranks create windows themselves, and their verdicts. */
final class RandomMembers {
  static final String HOLDS = "holds";

  static final Duration LONG = Duration.ofSeconds(20);

  /** Starts of counters shortly before a wrap: every width that a counter may have. */
  static final List<Long> WRAPS = List.of(1L << 31, 1L << 32, 1L << 63, 0L);

  /** Larger worlds run on threads: states of the weak machine would need too much memory. */
  private static final int EXPLORED = 5;

  private RandomMembers() {}

  /** Any small one, and regular ones of more ranks. */
  static Arbitrary<Topology> worlds() {
    return Arbitraries.frequencyOf(
        Tuple.of(2, WorldArbitraries.topologies(EXPLORED)),
        Tuple.of(1, WorldArbitraries.topologies(9)),
        Tuple.of(1, Arbitraries.of("3x4", "12x1", "1x12", "4x6", "2x12").map(Topology::parse)));
  }

  /** The verdict of a few executions, each in a different order. */
  static String verdict(
      Topology world, RankArena arena, Profile profile, long seed, MemberCode code) {
    if (world.world() > EXPLORED) {
      return onThreads(world, code);
    }
    Verdict verdict =
        RankCodeExploration.of("members", arena, world, Thread::startVirtualThread, code)
            .withProfile(profile)
            .withStrategy(seed % 2 == 0 ? Strategy.RANDOM : Strategy.PCT)
            .withSeed(seed)
            .withBudget(new Budget(3, 100, 1_000_000, 20_000_000))
            .check()
            .verdict();
    return verdict.violation().map(v -> v.kind() + ": " + v.message()).orElse(HOLDS);
  }

  private static String onThreads(Topology world, MemberCode code) {
    Communicator.Factory machine = SequentialMachine.communicators(System::nanoTime, world);
    List<Bootstrap> group = InProcessBootstrap.group(world.world(), LONG);
    try {
      List<Integer> ranks =
          RankThreads.all(
              group,
              rank -> {
                code.run(machine, rank);
                return rank.rank();
              });
      return ranks.size() == world.world() ? HOLDS : "ranks missing: " + ranks;
    } finally {
      group.forEach(Bootstrap::close);
    }
  }

  /** Bytes that identify their writer, receiver and time. */
  static byte[] bytes(int length, long... seeds) {
    byte[] bytes = new byte[length];
    new Random(Arrays.hashCode(seeds)).nextBytes(bytes);
    return bytes;
  }
}
