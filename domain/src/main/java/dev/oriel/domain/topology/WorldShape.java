package dev.oriel.domain.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A world described by the ranks of each host; every rank reaches all others of its host. Written
 * "2x4" if hosts have equally many consecutive ranks, "3+1" if their numbers differ, and otherwise
 * as the ranks of each: "0,2/1,3". A text may also name consecutive ranks: "0-2/3".
 *
 * @param members the ranks of each host, in order of their lowest rank
 */
public record WorldShape(List<IndexSet> members) {
  /** The longest text that is read. */
  public static final int MAX_TEXT = 1024;

  private static final int SHOWN = 64;

  public WorldShape {
    members = checked(members);
  }

  /** A regular world: hosts with equally many GPUs. */
  public WorldShape(int hosts, int gpusPerHost) {
    this(grid(hosts, gpusPerHost));
  }

  private static List<IndexSet> checked(List<IndexSet> members) {
    long world = members.stream().mapToLong(IndexSet::size).sum();
    if (world > Topology.MAX_WORLD) {
      throw new IllegalArgumentException(
          "world too large: hosts=%d, ranks=%d; use at most %d ranks"
              .formatted(members.size(), world, Topology.MAX_WORLD));
    }
    BitSet ranks = new BitSet();
    for (IndexSet host : members) {
      if (host.size() == 0) {
        throw new IllegalArgumentException(
            "host without ranks: members=%s; leave it out".formatted(members));
      }
      host.stream().forEach(ranks::set);
    }
    if (world == 0 || ranks.cardinality() != world || ranks.length() != world) {
      throw new IllegalArgumentException(
          "no world: ranks=%d, different=%d, last=%d; name each rank from 0 on once"
              .formatted(world, ranks.cardinality(), ranks.length() - 1));
    }
    return members.stream().sorted(Comparator.comparingInt(host -> host.get(0))).toList();
  }

  private static List<IndexSet> grid(int hosts, int gpusPerHost) {
    if (hosts < 1 || gpusPerHost < 1) {
      throw new IllegalArgumentException(
          "empty world: hosts=" + hosts + ", gpusPerHost=" + gpusPerHost + "; use at least 1x1");
    }
    if ((long) hosts * gpusPerHost > Topology.MAX_WORLD) {
      throw new IllegalArgumentException(
          "world too large: hosts="
              + hosts
              + ", gpusPerHost="
              + gpusPerHost
              + ", ranks="
              + (long) hosts * gpusPerHost
              + "; use at most "
              + Topology.MAX_WORLD
              + " ranks");
    }
    return IntStream.range(0, hosts)
        .mapToObj(host -> IndexSet.range(host * gpusPerHost, (host + 1) * gpusPerHost))
        .toList();
  }

  /** Reads "2x4", "3+1" or "0,2/1,3"; digits must be ASCII. */
  public static WorldShape parse(String text) {
    if (text.length() > MAX_TEXT) {
      throw bad(text, "%d characters".formatted(text.length()));
    }
    int cross = text.indexOf('x');
    if (cross >= 0) {
      return new WorldShape(
          number(text, text.substring(0, cross)), number(text, text.substring(cross + 1)));
    }
    if (text.indexOf('+') >= 0) {
      return sizes(text);
    }
    if (text.chars().anyMatch(c -> c == '/' || c == ',' || c == '-')) {
      return lists(text);
    }
    throw bad(text, "no 'x' between two numbers");
  }

  private static WorldShape sizes(String text) {
    List<IndexSet> members = new ArrayList<>();
    int next = 0;
    for (String size : text.split("\\+", -1)) {
      int ranks = number(text, size);
      if (ranks == 0) {
        throw bad(text, "a host without ranks");
      }
      if (ranks > Topology.MAX_WORLD - next) {
        throw bad(text, "more than " + Topology.MAX_WORLD + " ranks");
      }
      members.add(IndexSet.range(next, next + ranks));
      next += ranks;
    }
    return new WorldShape(members);
  }

  private static WorldShape lists(String text) {
    List<IndexSet> members = new ArrayList<>();
    BitSet all = new BitSet();
    for (String host : text.split("/", -1)) {
      BitSet ranks = new BitSet();
      for (String run : host.split(",", -1)) {
        int dash = run.indexOf('-', 1);
        int first = number(text, dash < 0 ? run : run.substring(0, dash));
        int last = dash < 0 ? first : number(text, run.substring(dash + 1));
        if (last < first) {
          throw bad(text, "'" + run + "' runs backwards");
        }
        if (last >= Topology.MAX_WORLD) {
          throw bad(text, "rank " + last + " is more than " + (Topology.MAX_WORLD - 1));
        }
        int again = all.nextSetBit(first);
        if (again >= 0 && again <= last) {
          throw bad(text, "rank " + again + " stands twice");
        }
        all.set(first, last + 1);
        ranks.set(first, last + 1);
      }
      members.add(IndexSet.of(ranks.stream().toArray()));
    }
    if (all.nextClearBit(0) < all.length()) {
      throw bad(text, "rank " + all.nextClearBit(0) + " is missing");
    }
    return new WorldShape(members);
  }

  private static int number(String text, String digits) {
    if (digits.startsWith("-")) {
      throw bad(text, "'" + digits + "' is negative");
    }
    if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw bad(text, "'" + digits + "' is not a number");
    }
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException tooLarge) {
      throw bad(text, "'" + digits + "' is more than " + Topology.MAX_WORLD);
    }
  }

  private static IllegalArgumentException bad(String text, String why) {
    return new IllegalArgumentException(
        "bad world: text=%s, reason=%s; write hosts x GPUs per host, as in 2x4, the GPUs of each host, as in 3+1, or its ranks, as in 0,2/1,3"
            .formatted(shown(text), shown(why)));
  }

  private static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  /** The number of ranks. */
  public int world() {
    return members.stream().mapToInt(IndexSet::size).sum();
  }

  /** The number of hosts. */
  public int hosts() {
    return members.size();
  }

  /** The size of the largest host. */
  public int gpusPerHost() {
    return members.stream().mapToInt(IndexSet::size).max().orElseThrow();
  }

  /** Whether hosts have equally many consecutive ranks. */
  public boolean isRegular() {
    int each = members.getFirst().size();
    return isConsecutive() && members.stream().allMatch(host -> host.size() == each);
  }

  /** Whether each host has the ranks that follow those of the host before it. */
  private boolean isConsecutive() {
    int next = 0;
    for (IndexSet host : members) {
      if (!host.equals(IndexSet.range(next, next + host.size()))) {
        return false;
      }
      next += host.size();
    }
    return true;
  }

  /** The shape of only the first {@code ranks} ranks. */
  public WorldShape first(int ranks) {
    return new WorldShape(
        members.stream()
            .map(host -> IndexSet.of(host.stream().filter(rank -> rank < ranks).toArray()))
            .filter(host -> host.size() > 0)
            .toList());
  }

  /** The facts of every rank, in order: devices of a host in order of its ranks, no fabric. */
  public List<RankFacts> facts() {
    RankFacts[] facts = new RankFacts[world()];
    for (int host = 0; host < hosts(); host++) {
      IndexSet ranks = members.get(host);
      IndexSet devices = IndexSet.range(0, ranks.size());
      String name = "host" + host;
      for (int device = 0; device < ranks.size(); device++) {
        facts[ranks.get(device)] = RankFacts.of(name, device).withReachable(devices);
      }
    }
    return List.of(facts);
  }

  /** A notation that {@link #parse} reads, the same for equal shapes. */
  @Override
  public String toString() {
    if (isRegular()) {
      return hosts() + "x" + gpusPerHost();
    }
    return isConsecutive()
        ? members.stream().map(host -> "" + host.size()).collect(Collectors.joining("+"))
        : members.stream().map(WorldShape::runs).collect(Collectors.joining("/"));
  }

  /** The ranks of a host, with consecutive ones as a run. */
  private static String runs(IndexSet ranks) {
    List<String> runs = new ArrayList<>();
    int first = 0;
    for (int i = 1; i <= ranks.size(); i++) {
      if (i == ranks.size() || ranks.get(i) != ranks.get(i - 1) + 1) {
        runs.add(
            i - first == 1 ? "" + ranks.get(first) : ranks.get(first) + "-" + ranks.get(i - 1));
        first = i;
      }
    }
    return String.join(",", runs);
  }
}
