package dev.oriel.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.measure.ProcessorTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TopologyTest {

  private static final FabricFacts FABRIC = new FabricFacts(new ClusterId(1, 2), 3, true);
  private static final FabricFacts OTHER_CLIQUE = new FabricFacts(new ClusterId(1, 2), 4, true);
  private static final FabricFacts OTHER_CLUSTER = new FabricFacts(new ClusterId(1, 9), 3, true);
  private static final FabricFacts NOT_JOINED = new FabricFacts(new ClusterId(1, 2), 3, false);
  private static final FabricFacts NO_CLUSTER = new FabricFacts(new ClusterId(0, 0), 3, true);

  private static List<RankFacts> ranks(int world, IntFunction<RankFacts> facts) {
    return IntStream.range(0, world).mapToObj(facts).toList();
  }

  private static PeerKind pair(RankFacts one, RankFacts two) {
    Topology topology = Topology.of(List.of(one, two));
    assertThat(topology.kind(1, 0)).isEqualTo(topology.kind(0, 1));
    return topology.kind(0, 1);
  }

  private static RankFacts near(String host, int device) {
    return RankFacts.of(host, device).withReachable(IndexSet.range(0, 8));
  }

  @Test
  void oneRankAloneHasNoPeers() {
    Topology topology = Topology.grid(1, 1);
    assertThat(topology.world()).isEqualTo(1);
    assertThat(topology.kind(0, 0)).isEqualTo(PeerKind.SELF);
    assertThat(topology.nvlinkPeers(0)).isEmpty();
    assertThat(topology.rdmaPeerCount(0)).isZero();
    assertThat(topology.domains()).containsExactly(IndexSet.of(0));
  }

  @Test
  void hostsOfAGridAreDomains() {
    Topology topology = Topology.parse("2x4");
    assertThat(topology.domains()).containsExactly(IndexSet.range(0, 4), IndexSet.range(4, 8));
    assertThat(topology.hosts()).isEqualTo(topology.domains());
    assertThat(topology.transitive()).isTrue();
    assertThat(topology.domainOf(3)).isZero();
    assertThat(topology.domainOf(4)).isEqualTo(1);
    assertThat(topology.nvlinkPeers(5)).containsExactly(4, 6, 7);
    assertThat(topology.facts(6).device()).isEqualTo(2);
    assertThat(topology.facts(6).host()).isEqualTo("host1");
    assertThat(topology)
        .hasToString(
            "Topology[world=8, hosts=2, domains=2, transitive=true, digest="
                + topology.digest()
                + "]");
  }

  @Test
  void theFabricJoinsHostsEvenWithoutAccess() {
    assertThat(
            pair(RankFacts.of("a", 0).withFabric(FABRIC), RankFacts.of("b", 0).withFabric(FABRIC)))
        .isEqualTo(PeerKind.NVLINK);
  }

  @Test
  void theFabricJoinsOnlyEqualClustersAndCliquesThatAreComplete() {
    RankFacts joined = RankFacts.of("a", 0).withFabric(FABRIC);
    for (FabricFacts other : List.of(OTHER_CLIQUE, OTHER_CLUSTER, NOT_JOINED)) {
      assertThat(pair(joined, RankFacts.of("b", 0).withFabric(other))).isEqualTo(PeerKind.RDMA);
    }
    assertThat(pair(joined, RankFacts.of("b", 0))).isEqualTo(PeerKind.RDMA);
  }

  @Test
  void hostsWhoseDriversNameNoClusterAreNotJoined() {
    assertThat(
            pair(
                RankFacts.of("a", 0).withFabric(NO_CLUSTER),
                RankFacts.of("b", 0).withFabric(NO_CLUSTER)))
        .isEqualTo(PeerKind.RDMA);
  }

  @Test
  void accessInsideAHostMustBeReportedByBothSides() {
    RankFacts zero = RankFacts.of("a", 0);
    RankFacts one = RankFacts.of("a", 1);
    IndexSet both = IndexSet.range(0, 2);
    assertThat(pair(zero.withReachable(both), one.withReachable(both))).isEqualTo(PeerKind.NVLINK);
    assertThat(pair(zero.withReachable(both), one)).isEqualTo(PeerKind.RDMA);
    assertThat(pair(zero, one.withReachable(both))).isEqualTo(PeerKind.RDMA);
    assertThat(pair(near("a", 0), near("b", 1))).isEqualTo(PeerKind.RDMA);
  }

  @Test
  void ranksOfDifferentCliquesOnOneHostMayStillReachEachOther() {
    assertThat(pair(near("a", 0).withFabric(FABRIC), near("a", 1).withFabric(OTHER_CLIQUE)))
        .isEqualTo(PeerKind.NVLINK);
  }

  @Test
  void twoRanksOnOneDeviceShareItsMemory() {
    assertThat(pair(RankFacts.of("a", 0), RankFacts.of("a", 0))).isEqualTo(PeerKind.NVLINK);
  }

  @Test
  void eitherSideMayRefuseNvlink() {
    RankSettings refusing = RankSettings.DEFAULT.withP2pDisabled(true);
    assertThat(pair(near("a", 0).withOverrides(refusing), near("a", 1))).isEqualTo(PeerKind.RDMA);
    assertThat(pair(near("a", 0), near("a", 1).withOverrides(refusing))).isEqualTo(PeerKind.RDMA);
    assertThat(
            pair(
                near("a", 0).withFabric(FABRIC).withOverrides(refusing),
                near("a", 1).withFabric(FABRIC).withOverrides(refusing)))
        .isEqualTo(PeerKind.RDMA);
  }

  @Test
  void anOverrideOnOneRankIsSeenByBoth() {
    RankSettings moved = RankSettings.DEFAULT.withCliqueOverride(99);
    RankFacts joined = RankFacts.of("a", 0).withFabric(FABRIC);
    assertThat(pair(joined.withOverrides(moved), RankFacts.of("b", 0).withFabric(FABRIC)))
        .isEqualTo(PeerKind.RDMA);
    assertThat(
            pair(
                joined.withOverrides(moved),
                RankFacts.of("b", 0).withFabric(FABRIC).withOverrides(moved)))
        .isEqualTo(PeerKind.NVLINK);
  }

  @Test
  void onlyRanksThatDeclareTheSameSetAreJoined() {
    IntFunction<RankSettings> none = rank -> RankSettings.DEFAULT;
    IntFunction<RankSettings> halves =
        rank ->
            RankSettings.DEFAULT.withNvlinkSet(
                rank < 2 ? IndexSet.range(0, 2) : IndexSet.range(2, 4));
    IntFunction<RankSettings> onlyFirst =
        rank -> rank == 0 ? halves.apply(0) : RankSettings.DEFAULT;
    IntFunction<RankSettings> firstNamesAll =
        rank ->
            rank == 0
                ? RankSettings.DEFAULT.withNvlinkSet(IndexSet.range(0, 4))
                : RankSettings.DEFAULT;

    assertThat(domainsOf(none)).containsExactly(IndexSet.range(0, 4));
    assertThat(domainsOf(firstNamesAll)).containsExactly(IndexSet.range(0, 4));
    assertThat(domainsOf(halves)).containsExactly(IndexSet.range(0, 2), IndexSet.range(2, 4));
    assertThat(domainsOf(onlyFirst)).containsExactly(IndexSet.of(0), IndexSet.range(1, 4));
  }

  private static List<IndexSet> domainsOf(IntFunction<RankSettings> settings) {
    return Topology.of(ranks(4, rank -> near("a", rank).withOverrides(settings.apply(rank))))
        .domains();
  }

  @Test
  void domainsNeedNotBeContiguous() {
    Topology topology = Topology.of(ranks(6, rank -> near("h" + rank % 3, rank / 3)));
    assertThat(topology.domains())
        .containsExactly(IndexSet.of(0, 3), IndexSet.of(1, 4), IndexSet.of(2, 5));
    assertThat(topology.nvlinkIndex(4, 1)).isZero();
    assertThat(topology.nvlinkIndex(4, 4)).isEqualTo(1);
    assertThat(topology.rdmaIndex(4, 5)).isEqualTo(3);
    assertThat(topology.rdmaPeer(4, 3)).isEqualTo(5);
    assertThat(topology.peerIndex(4, 5)).isEqualTo(4);
    assertThat(topology.peerIndex(4, 3)).isEqualTo(3);
  }

  /** Eight GPUs as two fully joined quads, each GPU with one link into the other quad. */
  @Test
  void whereNvlinkIsNotTransitiveDomainsAreCliquesAndNeighbourhoodsAreLarger() {
    Topology topology =
        Topology.of(
            ranks(
                8,
                gpu -> {
                  int quad = gpu / 4 * 4;
                  return RankFacts.of("a", gpu)
                      .withReachable(IndexSet.range(quad, quad + 4).with(gpu ^ 4));
                }));
    assertThat(topology.transitive()).isFalse();
    assertThat(topology.domains()).containsExactly(IndexSet.range(0, 4), IndexSet.range(4, 8));
    assertThat(topology.neighbourhood(5)).isEqualTo(IndexSet.of(1, 4, 5, 6, 7));
    assertThat(topology.nvlinkIndex(5, 1)).isZero();
    assertThat(topology.nvlinkIndex(1, 5)).isEqualTo(4);
    assertThat(topology.kind(0, 4)).isEqualTo(PeerKind.NVLINK);
    assertThat(topology.kind(0, 5)).isEqualTo(PeerKind.RDMA);
    assertThat(topology.rdmaPeerCount(5)).isEqualTo(3);
  }

  @Test
  void anEnabledFabricThatIsMissingNamesTheLowestRank() {
    RankSettings enabled = RankSettings.DEFAULT.withFabricMode(FabricMode.ENABLED);
    List<RankFacts> facts =
        List.of(
            near("a", 0).withFabric(FABRIC).withOverrides(enabled),
            near("a", 1),
            near("a", 2).withFabric(NOT_JOINED).withOverrides(enabled),
            near("a", 3).withOverrides(enabled));
    assertThatExceptionOfType(TopologyException.class)
        .isThrownBy(() -> Topology.of(facts))
        .withMessageStartingWith("fabric missing: rank=2, host=a, device=2, mode=ENABLED, fabric=")
        .withMessageContaining("completed=false")
        .satisfies(error -> assertThat(error.rank()).isEqualTo(2));
    assertThatThrownBy(() -> Topology.of(List.of(near("a", 0).withOverrides(enabled))))
        .hasMessageContaining("fabric=none");
  }

  @Test
  void disabledRdmaNamesTheFirstRankAndItsFirstPeerWithoutNvlink() {
    RankSettings noRdma = RankSettings.DEFAULT.withRdmaDisabled(true);
    List<RankFacts> facts = new ArrayList<>(new WorldShape(2, 2).facts());
    facts.set(3, facts.get(3).withOverrides(noRdma));
    assertThatExceptionOfType(TopologyException.class)
        .isThrownBy(() -> Topology.of(facts))
        .withMessage(
            "peer without NVLink while RDMA is disabled: rank=3, peer=0, nvlink={2,3};"
                + " allow RDMA or leave the peer out")
        .satisfies(error -> assertThat(error.rank()).isEqualTo(3));

    facts.set(1, facts.get(1).withOverrides(noRdma));
    assertThatThrownBy(() -> Topology.of(facts)).hasMessageContaining("rank=1, peer=2");
    List<RankFacts> joined = ranks(3, rank -> near("a", rank).withOverrides(noRdma));
    assertThat(Topology.of(joined).world()).isEqualTo(3);
  }

  @Test
  void aSetWithoutItsOwnRankOrOutOfRangeIsRefused() {
    RankFacts plain = near("a", 0);
    RankSettings foreign = RankSettings.DEFAULT.withNvlinkSet(IndexSet.of(0));
    RankSettings tooLarge = RankSettings.DEFAULT.withNvlinkSet(IndexSet.of(1, 2));
    RankSettings empty = RankSettings.DEFAULT.withNvlinkSet(IndexSet.EMPTY);
    assertThatThrownBy(() -> Topology.of(List.of(plain, near("a", 1).withOverrides(foreign))))
        .isInstanceOf(TopologyException.class)
        .hasMessageStartingWith("NVLink set without its own rank: rank=1, set={0};");
    assertThatThrownBy(() -> Topology.of(List.of(plain, near("a", 1).withOverrides(tooLarge))))
        .isInstanceOf(TopologyException.class)
        .hasMessage("NVLink set out of range: rank=1, set={1,2}, world=2; use ranks below 2");
    assertThatThrownBy(() -> Topology.of(List.of(plain.withOverrides(empty))))
        .hasMessageStartingWith("NVLink set without its own rank: rank=0, set={};");
  }

  @Test
  void aWorldHasOneToAMillionRanks() {
    assertThatThrownBy(() -> Topology.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bad world: ranks=0; use 1 to 1048576 ranks");
    List<RankFacts> tooMany = Collections.nCopies(Topology.MAX_WORLD + 1, near("a", 0));
    assertThatThrownBy(() -> Topology.of(tooMany)).hasMessageContaining("ranks=1048577");
    assertThatThrownBy(() -> Topology.grid(0, 4)).hasMessageStartingWith("empty world");
  }

  @Test
  void aRankOutOfRangeIsRefusedAtBothEnds() {
    Topology topology = Topology.grid(2, 2);
    for (int bad : new int[] {-1, 4}) {
      String message = "rank out of range: rank=" + bad + ", world=4; use 0 to 3";
      List<ThrowingCallable> calls =
          List.of(
              () -> topology.kind(bad, 0),
              () -> topology.kind(0, bad),
              () -> topology.facts(bad),
              () -> topology.neighbourhood(bad),
              () -> topology.nvlinkPeers(bad),
              () -> topology.domainOf(bad),
              () -> topology.nvlinkIndex(bad, 0),
              () -> topology.nvlinkIndex(0, bad),
              () -> topology.rdmaPeerCount(bad),
              () -> topology.rdmaIndex(0, bad),
              () -> topology.rdmaPeer(bad, 0),
              () -> topology.peerIndex(bad, 0),
              () -> topology.peerIndex(0, bad));
      assertThat(calls)
          .allSatisfy(call ->
              assertThatThrownBy(call)
                  .isInstanceOf(IndexOutOfBoundsException.class)
                  .hasMessage(message));
    }
  }

  @Test
  void anIndexIsGivenOnlyToPeersOfItsKind() {
    Topology topology = Topology.grid(2, 2);
    assertThatThrownBy(() -> topology.nvlinkIndex(0, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not an NVLINK peer: owner=0, peer=2, kind=RDMA; ask kind(owner, peer) first");
    assertThatThrownBy(() -> topology.rdmaIndex(0, 1)).hasMessageContaining("kind=NVLINK");
    assertThatThrownBy(() -> topology.rdmaIndex(0, 0)).hasMessageContaining("kind=SELF");
    assertThatThrownBy(() -> topology.peerIndex(1, 1))
        .hasMessageStartingWith("not a peer: owner=1");
    for (int bad : new int[] {-1, 2}) {
      assertThatThrownBy(() -> topology.rdmaPeer(1, bad))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("owner=1, index=" + bad + ", peers=2");
    }
  }

  @Test
  void theDigestIsOfTheShapeAlone() {
    Digest128 grid = Topology.grid(2, 2).digest();
    List<RankFacts> renamed =
        ranks(4, rank -> RankFacts.of(rank < 2 ? "x" : "y", 7 - rank)).stream()
            .map(facts -> facts.withReachable(IndexSet.range(0, 8)))
            .toList();
    assertThat(Topology.of(renamed).digest())
        .isEqualTo(grid)
        .hasToString("c758d1b0c84f80a316f69e539d3effae");
    List<RankFacts> joined =
        new WorldShape(2, 2).facts().stream().map(facts -> facts.withFabric(FABRIC)).toList();
    List<RankFacts> chain =
        ranks(4, rank -> RankFacts.of("a", rank).withReachable(IndexSet.of(rank, rank ^ 1)));
    List<RankFacts> bridged =
        ranks(
            4,
            rank ->
                RankFacts.of("a", rank)
                    .withReachable(
                        rank == 1 || rank == 2 ? IndexSet.range(0, 4) : IndexSet.of(rank ^ 1)));
    List<RankFacts> bridgedElsewhere =
        ranks(
            4,
            rank ->
                RankFacts.of("a", rank)
                    .withReachable(
                        rank == 0 || rank == 3 ? IndexSet.range(0, 4) : IndexSet.of(rank ^ 1)));
    assertThat(
            List.of(
                grid,
                Topology.grid(1, 4).digest(),
                Topology.grid(4, 1).digest(),
                Topology.of(joined).digest(),
                Topology.of(chain).digest(),
                Topology.of(bridged).digest(),
                Topology.of(bridgedElsewhere).digest()))
        .doesNotHaveDuplicates();
  }

  /** Two pairs joined by two links, straight or crossed: equal domains and counts of peers. */
  @Test
  void theDigestDistinguishesLinksWithinEqualDomains() {
    assertThat(bridgedPairs(rank -> rank ^ 2)).isNotEqualTo(bridgedPairs(rank -> rank ^ 3));
  }

  private static Digest128 bridgedPairs(IntUnaryOperator across) {
    Topology topology =
        Topology.of(
            ranks(
                4,
                rank ->
                    RankFacts.of("a", rank)
                        .withReachable(IndexSet.of(rank ^ 1, across.applyAsInt(rank)))));
    assertThat(topology.domains()).containsExactly(IndexSet.of(0, 1), IndexSet.of(2, 3));
    assertThat(topology.neighbourhood(3).size()).isEqualTo(3);
    return topology.digest();
  }

  private static Topology inAMoment(int hosts, int ranks) {
    Topology[] built = new Topology[1];
    assertThat(ProcessorTime.of(() -> built[0] = Topology.grid(hosts, ranks)))
        .isLessThan(Duration.ofSeconds(3));
    return built[0];
  }

  @Test
  void aWorldOf65536RanksIsBuiltInAMoment() {
    Topology topology = inAMoment(8192, 8);
    assertThat(topology.domains()).hasSize(8192);
    assertThat(topology.neighbourhood(65_535)).isSameAs(topology.neighbourhood(65_528));
    assertThat(topology.rdmaIndex(65_535, 65_527)).isEqualTo(65_527);
    assertThat(topology.rdmaPeer(0, 0)).isEqualTo(8);
  }

  @Test
  void oneHostOf65536RanksIsBuiltInAMoment() {
    Topology topology = inAMoment(1, 65_536);
    assertThat(topology.domains()).containsExactly(IndexSet.range(0, 65_536));
  }
}
