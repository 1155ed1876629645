package dev.oriel.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class TopologyProperties {

  @Provide
  Arbitrary<List<RankFacts>> facts() {
    return SomeFacts.ofWorlds(14);
  }

  @Property(tries = 500)
  void everyPairIsClassifiedByItsTwoRanksOnly(@ForAll("facts") List<RankFacts> facts) {
    Topology topology = Topology.of(facts);
    for (int a = 0; a < facts.size(); a++) {
      for (int b = 0; b < facts.size(); b++) {
        assertThat(topology.kind(a, b)).isEqualTo(slowKind(facts, a, b));
        assertThat(topology.kind(a, b)).isEqualTo(topology.kind(b, a));
      }
    }
  }

  private static PeerKind slowKind(List<RankFacts> facts, int a, int b) {
    if (a == b) {
      return PeerKind.SELF;
    }
    RankFacts one = facts.get(a);
    RankFacts two = facts.get(b);
    boolean refused = one.settings().p2pDisabled() || two.settings().p2pDisabled();
    boolean agreed = slowSet(facts, a).equals(slowSet(facts, b));
    boolean fabric =
        one.fabric().isPresent()
            && two.fabric().isPresent()
            && one.fabric().get().completed()
            && two.fabric().get().completed()
            && !one.fabric().get().cluster().equals(new ClusterId(0, 0))
            && one.fabric().get().cluster().equals(two.fabric().get().cluster())
            && one.fabric().get().clique() == two.fabric().get().clique();
    boolean access =
        one.host().equals(two.host())
            && one.reachable().contains(two.device())
            && two.reachable().contains(one.device());
    return !refused && agreed && (fabric || access) ? PeerKind.NVLINK : PeerKind.RDMA;
  }

  private static Set<Integer> slowSet(List<RankFacts> facts, int rank) {
    return facts.get(rank).settings().nvlinkSet().orElse(IndexSet.range(0, facts.size())).stream()
        .boxed()
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Property(tries = 300)
  void indexMapsAreDenseAscendingAndInvertible(@ForAll("facts") List<RankFacts> facts) {
    Topology topology = Topology.of(facts);
    for (int owner = 0; owner < topology.world(); owner++) {
      int nvlink = 0;
      int rdma = 0;
      int any = 0;
      List<Integer> peers = new ArrayList<>();
      for (int peer = 0; peer < topology.world(); peer++) {
        switch (topology.kind(owner, peer)) {
          case SELF -> assertThat(topology.nvlinkIndex(owner, peer)).isEqualTo(nvlink++);
          case NVLINK -> {
            peers.add(peer);
            assertThat(topology.nvlinkIndex(owner, peer)).isEqualTo(nvlink);
            assertThat(topology.neighbourhood(owner).get(nvlink++)).isEqualTo(peer);
            assertThat(topology.peerIndex(owner, peer)).isEqualTo(any++);
          }
          case RDMA -> {
            assertThat(topology.rdmaPeer(owner, rdma)).isEqualTo(peer);
            assertThat(topology.rdmaIndex(owner, peer)).isEqualTo(rdma++);
            assertThat(topology.peerIndex(owner, peer)).isEqualTo(any++);
          }
        }
      }
      assertThat(topology.nvlinkPeers(owner).boxed()).isEqualTo(peers);
      assertThat(topology.neighbourhood(owner).size()).isEqualTo(nvlink);
      assertThat(topology.rdmaPeerCount(owner)).isEqualTo(rdma);
    }
  }

  @Property(tries = 300)
  void domainsAreCliquesThatHoldEveryRankOnce(@ForAll("facts") List<RankFacts> facts) {
    Topology topology = Topology.of(facts);
    List<Integer> seen = new ArrayList<>();
    int lowest = -1;
    for (int domain = 0; domain < topology.domains().size(); domain++) {
      IndexSet members = topology.domains().get(domain);
      assertThat(members.get(0)).isGreaterThan(lowest);
      lowest = members.get(0);
      for (int rank : members.stream().toArray()) {
        assertThat(topology.domainOf(rank)).isEqualTo(domain);
        assertThat(members.stream().allMatch(topology.neighbourhood(rank)::contains)).isTrue();
        seen.add(rank);
      }
    }
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, facts.size()).boxed().toList());
    assertThat(topology.transitive())
        .isEqualTo(
            IntStream.range(0, facts.size())
                .allMatch(rank ->
                    topology
                        .domains()
                        .get(topology.domainOf(rank))
                        .equals(topology.neighbourhood(rank))));
  }

  @Property(tries = 300)
  void transitiveHasItsMathematicalMeaning(@ForAll("facts") List<RankFacts> facts) {
    Topology topology = Topology.of(facts);
    boolean slow =
        IntStream.range(0, facts.size())
            .allMatch(a ->
                topology.neighbourhood(a).stream()
                    .allMatch(b -> topology.neighbourhood(b).equals(topology.neighbourhood(a))));
    assertThat(topology.transitive()).isEqualTo(slow);
  }

  @Property(tries = 200)
  void everyRankComputesTheSame(@ForAll("facts") List<RankFacts> facts) {
    Topology here = Topology.of(facts);
    Topology there = Topology.of(new ArrayList<>(facts));
    assertThat(there.digest()).isEqualTo(here.digest());
    assertThat(there.domains()).isEqualTo(here.domains());
  }

  @Property(tries = 200)
  void renumberingRanksRenumbersTheAnswers(
      @ForAll("facts") List<RankFacts> facts, @ForAll long seed) {
    List<Integer> oldOf = new ArrayList<>(IntStream.range(0, facts.size()).boxed().toList());
    Collections.shuffle(oldOf, new Random(seed));
    List<RankFacts> renumbered =
        oldOf.stream().map(old -> renumber(facts.get(old), oldOf)).toList();
    Topology before = Topology.of(facts);
    Topology after = Topology.of(renumbered);
    for (int a = 0; a < facts.size(); a++) {
      for (int b = 0; b < facts.size(); b++) {
        assertThat(after.kind(a, b)).isEqualTo(before.kind(oldOf.get(a), oldOf.get(b)));
      }
    }
  }

  private static RankFacts renumber(RankFacts own, List<Integer> oldOf) {
    return own.settings()
        .nvlinkSet()
        .map(set ->
            own.withOverrides(
                own.settings()
                    .withNvlinkSet(IndexSet.of(set.stream().map(oldOf::indexOf).toArray()))))
        .orElse(own);
  }

  @Property(tries = 100)
  void aGridOfAnyShapeHasItsHostsAsDomains(
      @ForAll @IntRange(min = 1, max = 9) int hosts, @ForAll @IntRange(min = 1, max = 9) int gpus) {
    Topology topology = Topology.parse(hosts + "x" + gpus);
    assertThat(topology.world()).isEqualTo(hosts * gpus);
    for (int rank = 0; rank < topology.world(); rank++) {
      assertThat(topology.domainOf(rank)).isEqualTo(rank / gpus);
      assertThat(topology.hosts().get(rank / gpus).contains(rank)).isTrue();
      assertThat(topology.rdmaPeerCount(rank)).isEqualTo((hosts - 1) * gpus);
    }
    assertThat(Arrays.asList(hosts, topology.hosts().size())).containsOnly(hosts);
  }
}
