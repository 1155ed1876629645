package dev.oriel.domain.topology;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which ranks reach each other, and by which links: a pure function of the facts of all ranks, so
 * ranks with the same facts agree.
 *
 * <p>NVLINK is symmetric but need not be transitive. A rank's <em>neighbourhood</em> is itself and
 * its NVLINK peers, exactly. <em>Domains</em> are disjoint cliques of NVLINK peers that together
 * hold every rank, so a planner may use NVLink inside a domain in any case; where {@link
 * #transitive} holds, a rank's domain is its neighbourhood.
 *
 * <p>Three dense index maps exist from the viewpoint of an <em>owner</em>, the rank whose memory is
 * indexed. A sender that needs its own place at a peer passes that peer as owner. Look-ups take
 * constant time for evenly spaced domains; an uneven set is searched, in time logarithmic in its
 * size.
 */
public final class Topology {

  /** The largest world. */
  public static final int MAX_WORLD = 1 << 20;

  private final List<RankFacts> facts;
  private final List<IndexSet> hosts;
  private final List<IndexSet> domains;
  private final int[] domainOf;
  private final List<IndexSet> neighbourhoods;
  private final boolean transitive;

  private Topology(List<RankFacts> facts) {
    NvlinkGroups groups = new NvlinkGroups(facts);
    this.facts = facts;
    this.hosts = NvlinkGroups.hosts(facts).stream().map(IndexSet::of).toList();
    this.domains = groups.domains();
    this.domainOf = groups.domainOf();
    this.neighbourhoods = groups.neighbourhoods();
    this.transitive =
        IntStream.range(0, facts.size())
            .allMatch(
                rank -> neighbourhoods.get(rank).size() == domains.get(domainOf[rank]).size());
  }

  /** The topology of ranks with these {@code facts}, in rank order. */
  public static Topology of(List<RankFacts> facts) {
    FactRules.checkFacts(facts);
    Topology topology = new Topology(List.copyOf(facts));
    FactRules.checkRdmaAllowed(facts, topology);
    return topology;
  }

  /** A regular world: {@code hosts} hosts of {@code gpusPerHost} GPUs joined by NVLink. */
  public static Topology grid(int hosts, int gpusPerHost) {
    return of(new WorldShape(hosts, gpusPerHost).facts());
  }

  /** The world that {@code text} names, as in "2x4" for two hosts of four GPUs, or "0,2/1,3". */
  public static Topology parse(String text) {
    return of(WorldShape.parse(text).facts());
  }

  /** The number of ranks. */
  public int world() {
    return facts.size();
  }

  /** The facts of {@code rank}. */
  public RankFacts facts(int rank) {
    return facts.get(check(rank));
  }

  /** The link from {@code from} to {@code to}; the same in both directions. */
  public PeerKind kind(int from, int to) {
    if (check(from) == check(to)) {
      return PeerKind.SELF;
    }
    return neighbourhood(from).contains(to) ? PeerKind.NVLINK : PeerKind.RDMA;
  }

  /** The kinds of links between different ranks. */
  public Set<PeerKind> kinds() {
    Set<PeerKind> kinds = EnumSet.noneOf(PeerKind.class);
    for (IndexSet neighbourhood : neighbourhoods) {
      if (neighbourhood.size() > 1) {
        kinds.add(PeerKind.NVLINK);
      }
      if (neighbourhood.size() < world()) {
        kinds.add(PeerKind.RDMA);
      }
    }
    return kinds;
  }

  /** The rank itself and its NVLINK peers. */
  public IndexSet neighbourhood(int rank) {
    return neighbourhoods.get(check(rank));
  }

  /** The NVLINK peers of {@code rank}, ascending. */
  public IntStream nvlinkPeers(int rank) {
    return neighbourhood(rank).stream().filter(peer -> peer != rank);
  }

  /** Whether NVLINK peers of NVLINK peers are NVLINK peers, for every rank. */
  public boolean transitive() {
    return transitive;
  }

  /** Disjoint cliques of NVLINK peers that hold every rank, in order of their lowest rank. */
  public List<IndexSet> domains() {
    return domains;
  }

  /** The position in {@link #domains} of the one that holds {@code rank}. */
  public int domainOf(int rank) {
    return domainOf[check(rank)];
  }

  /** The ranks of each host, in order of their lowest rank. */
  public List<IndexSet> hosts() {
    return hosts;
  }

  /** The place of {@code peer} in the neighbourhood of {@code owner}, which holds the owner too. */
  public int nvlinkIndex(int owner, int peer) {
    if (kind(owner, peer) == PeerKind.RDMA) {
      throw wrongKind("not an NVLINK peer", owner, peer);
    }
    return neighbourhood(owner).countBelow(peer);
  }

  /** The number of peers that {@code owner} reaches only by RDMA. */
  public int rdmaPeerCount(int owner) {
    return world() - neighbourhood(owner).size();
  }

  /** The place of {@code peer} among the RDMA peers of {@code owner}. */
  public int rdmaIndex(int owner, int peer) {
    if (kind(owner, peer) != PeerKind.RDMA) {
      throw wrongKind("not an RDMA peer", owner, peer);
    }
    return peer - neighbourhood(owner).countBelow(peer);
  }

  /** The peer whose {@link #rdmaIndex} at {@code owner} is {@code index}. */
  public int rdmaPeer(int owner, int index) {
    if (index < 0 || index >= rdmaPeerCount(owner)) {
      throw new IndexOutOfBoundsException(
          "RDMA index out of range: owner="
              + owner
              + ", index="
              + index
              + ", peers="
              + rdmaPeerCount(owner)
              + "; use an index below the number of RDMA peers");
    }
    IndexSet near = neighbourhood(owner);
    int low = 0;
    int high = near.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (near.get(middle) - middle <= index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return index + low;
  }

  /** The place of {@code peer} among all ranks except {@code owner}, for any kind of link. */
  public int peerIndex(int owner, int peer) {
    if (check(owner) == check(peer)) {
      throw wrongKind("not a peer", owner, peer);
    }
    return peer < owner ? peer : peer - 1;
  }

  /**
   * The digest of the shape: hosts, domains and neighbourhoods. Names of hosts and numbers of
   * devices do not change it, so equal shapes on different machines agree.
   */
  public Digest128 digest() {
    return ShapeDigest.of(this);
  }

  /** World, hosts and domains in one line. */
  @Override
  public String toString() {
    return "Topology[world="
        + world()
        + ", hosts="
        + hosts.size()
        + ", domains="
        + domains.size()
        + ", transitive="
        + transitive()
        + ", digest="
        + digest()
        + "]";
  }

  private int check(int rank) {
    if (rank < 0 || rank >= world()) {
      throw new IndexOutOfBoundsException(
          "rank out of range: rank=" + rank + ", world=" + world() + "; use 0 to " + (world() - 1));
    }
    return rank;
  }

  private IllegalArgumentException wrongKind(String what, int owner, int peer) {
    return new IllegalArgumentException(
        what
            + ": owner="
            + owner
            + ", peer="
            + peer
            + ", kind="
            + kind(owner, peer)
            + "; ask kind(owner, peer) first");
  }
}
