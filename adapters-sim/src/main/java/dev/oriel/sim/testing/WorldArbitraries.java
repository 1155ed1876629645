package dev.oriel.sim.testing;

import dev.oriel.domain.topology.IndexSet;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Arbitraries of worlds; shrinking leads to small ones. */
public final class WorldArbitraries {
  private WorldArbitraries() {}

  /**
   * Regular worlds of 1 to {@code most} ranks: one host, one GPU a host, mixed; not only 2 and 4.
   */
  public static Arbitrary<WorldShape> shapes(int most) {
    return Arbitraries.integers()
        .between(1, most)
        .flatMap(gpus ->
            Arbitraries.integers().between(1, most / gpus).map(h -> new WorldShape(h, gpus)));
  }

  /**
   * Topologies of 1 to {@code most} ranks: regular ones, hosts with different numbers of GPUs, and
   * GPUs that reach only some GPUs of their host.
   */
  public static Arbitrary<Topology> topologies(int most) {
    return Arbitraries.oneOf(
        shapes(most).map(shape -> Topology.of(shape.facts())), uneven(most), islands(most));
  }

  /** Each rank on one of three hosts. */
  private static Arbitrary<Topology> uneven(int most) {
    return Arbitraries.integers()
        .between(0, 2)
        .list()
        .ofMinSize(1)
        .ofMaxSize(most)
        .map(hosts -> of(hosts, IndexSet.range(0, most)));
  }

  /** One host whose GPUs all reach only the first few of its GPUs. */
  private static Arbitrary<Topology> islands(int most) {
    return Arbitraries.integers()
        .between(1, most)
        .flatMap(world ->
            Arbitraries.integers()
                .between(1, world)
                .map(reached -> of(Collections.nCopies(world, 0), IndexSet.range(0, reached))));
  }

  private static Topology of(List<Integer> hosts, IndexSet reached) {
    int[] devices = new int[3];
    List<RankFacts> facts = new ArrayList<>();
    for (int host : hosts) {
      int device = devices[host]++;
      facts.add(RankFacts.of("host" + host, device).withReachable(reached.with(device)));
    }
    return Topology.of(facts);
  }
}
