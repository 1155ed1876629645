package dev.oriel.domain.topology;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Draws facts of small, odd worlds: split hosts, one-sided access, half-joined fabrics. */
public final class SomeFacts {

  private SomeFacts() {}

  /** Facts of 1 to {@code most} ranks. */
  public static Arbitrary<List<RankFacts>> ofWorlds(int most) {
    return Arbitraries.integers()
        .between(1, most)
        .flatMap(world -> rank(world).list().ofSize(world).map(SomeFacts::withOwnRankInSets));
  }

  /** Topologies of 1 to {@code most} ranks. */
  public static Arbitrary<Topology> topologies(int most) {
    return ofWorlds(most).map(Topology::of);
  }

  private static Arbitrary<RankFacts> rank(int world) {
    Arbitrary<IndexSet> reach =
        Arbitraries.frequencyOf(
            Tuple.of(3, Arbitraries.just(IndexSet.range(0, 6))), Tuple.of(2, subset(6)));
    return Combinators.combine(
            Arbitraries.of("a", "b", "c"),
            Arbitraries.integers().between(0, 5),
            reach,
            fabric().optional(0.4),
            settings(world))
        .as((host, device, reachable, fabric, settings) ->
            new RankFacts(host, device, fabric, reachable, settings));
  }

  private static Arbitrary<FabricFacts> fabric() {
    return Combinators.combine(
            Arbitraries.of(new ClusterId(0, 7), new ClusterId(7, 0), new ClusterId(0, 0)),
            Arbitraries.of(1, 2),
            Arbitraries.frequency(Tuple.of(4, true), Tuple.of(1, false)))
        .as(FabricFacts::new);
  }

  private static Arbitrary<RankSettings> settings(int world) {
    Arbitrary<Optional<IndexSet>> allowed =
        Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.just(Optional.empty())),
            Tuple.of(2, Arbitraries.just(Optional.of(IndexSet.range(0, (world + 1) / 2)))),
            Tuple.of(1, Arbitraries.just(Optional.of(IndexSet.range(0, world)))),
            Tuple.of(1, subset(world).map(Optional::of)));
    return Combinators.combine(
            Arbitraries.of(FabricMode.AUTO, FabricMode.AUTO, FabricMode.DISABLED),
            Arbitraries.frequency(Tuple.of(9, false), Tuple.of(1, true)),
            allowed)
        .as((mode, p2pDisabled, set) -> {
          RankSettings plain =
              RankSettings.DEFAULT.withFabricMode(mode).withP2pDisabled(p2pDisabled);
          return set.map(plain::withNvlinkSet).orElse(plain);
        });
  }

  private static Arbitrary<IndexSet> subset(int below) {
    return Arbitraries.integers()
        .between(0, below - 1)
        .array(int[].class)
        .ofMaxSize(8)
        .map(IndexSet::of);
  }

  private static List<RankFacts> withOwnRankInSets(List<RankFacts> facts) {
    return IntStream.range(0, facts.size())
        .mapToObj(rank -> {
          RankFacts own = facts.get(rank);
          return own.settings()
              .nvlinkSet()
              .map(set -> own.withOverrides(own.settings().withNvlinkSet(set.with(rank))))
              .orElse(own);
        })
        .toList();
  }
}
