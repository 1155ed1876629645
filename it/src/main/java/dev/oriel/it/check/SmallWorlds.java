package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.boundary.WorldDecisions;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.WorldParams;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The worlds that are checked, the first one most thoroughly.
 *
 * @param names as options write them
 * @param larger numbers of ranks for which the text decides something else than in any of these,
 *     and which are not searched
 * @param usual the same for the usual sizes alone
 */
record SmallWorlds(List<String> names, SortedSet<Long> larger, SortedSet<Long> usual) {
  /** The world that is checked most thoroughly by default. */
  static final String FIRST = "1x2";

  private static final List<String> NEAR =
      List.of(FIRST, "2x1", "1x3", "2x2", "1x1", "3x1", "1x4", "3+1", "1x5");

  /** The numbers of ranks that the text may add: more than those above, and at most so many. */
  private static final int FEWEST = 6;

  private static final int MOST = 9;

  /** So many of the larger worlds are executed once. */
  private static final int LARGER = 8;

  /** Up to so many ranks, a text is asked whether it decides something else. */
  private static final int FAR = 64;

  /** The larger worlds that are executed once, with sizes that their number of ranks implies. */
  List<String> sampledLarger() {
    return larger.stream().limit(LARGER).map(SmallWorlds::oneHost).toList();
  }

  /** The larger worlds that are executed once, with the usual size. */
  List<String> sampledUsual() {
    return usual.stream()
        .filter(ranks -> !larger.contains(ranks))
        .limit(Math.max(0, LARGER - larger.size()))
        .map(SmallWorlds::oneHost)
        .toList();
  }

  /** All numbers of ranks for which the text decides something else. */
  SortedSet<Long> unsearched() {
    SortedSet<Long> all = new TreeSet<>(larger);
    all.addAll(usual);
    return all;
  }

  private static String oneHost(long ranks) {
    return "1x" + ranks;
  }

  /**
   * Worlds that are executed once: the requested one, or those of 6 to 9 ranks and some others. The
   * text need not decide anything else there.
   */
  List<String> sampled() {
    if (names.size() == 1) {
      return names;
    }
    List<String> all = new ArrayList<>();
    for (int ranks = MOST; ranks >= FEWEST; ranks--) {
      for (int hosts = 1; hosts <= ranks; hosts++) {
        if (ranks % hosts == 0) {
          all.add(hosts + "x" + ranks / hosts);
        }
      }
    }
    all.addAll(List.of("5x1", "4x1", "4+2", "2+1", "1x16", "2x8"));
    return all;
  }

  /** A requested one. */
  static SmallWorlds only(String world) {
    return new SmallWorlds(List.of(world), new TreeSet<>(), new TreeSet<>());
  }

  /** All of them, beginning with that one; then those in which the text decides something else. */
  static SmallWorlds from(String first, Form form) {
    List<String> worlds = new ArrayList<>(NEAR);
    worlds.remove(first);
    worlds.addFirst(first);
    WorldDecisions decisions = new WorldDecisions(form);
    Predicate<String> meant = meant(form);
    Set<WorldDecisions.Decision> known = new HashSet<>();
    worlds.stream().filter(meant).forEach(world -> known.addAll(decided(decisions, form, world)));
    SortedSet<Long> larger = new TreeSet<>();
    for (int ranks = FEWEST; ranks <= FAR; ranks++) {
      // Of as many ranks, in each shape: a fence may be missing over RDMA alone.
      Set<WorldDecisions.Decision> fewer = Set.copyOf(known);
      for (String world : shapes(form, ranks)) {
        Set<WorldDecisions.Decision> decided = decided(decisions, form, world);
        if (!fewer.containsAll(decided) && meant.test(world)) {
          known.addAll(decided);
          if (ranks > MOST) {
            larger.add((long) ranks);
          } else {
            worlds.add(world);
          }
        }
      }
    }
    return new SmallWorlds(List.copyOf(worlds), larger, atUsualSizes(form, meant));
  }

  /**
   * The numbers of ranks, of those too large to be searched, with which the text decides something
   * else at the usual sizes: {@code B % n > 16} holds with 28 ranks if B is 1000.
   */
  private static SortedSet<Long> atUsualSizes(Form form, Predicate<String> meant) {
    WorldDecisions decisions = new WorldDecisions(form);
    Set<WorldDecisions.Decision> known = new HashSet<>();
    SortedSet<Long> larger = new TreeSet<>();
    for (int ranks = 1; ranks <= FAR; ranks++) {
      for (String world : shapes(form, ranks)) {
        Topology topology = Topology.parse(world);
        boolean other =
            known.addAll(decisions.in(topology.world(), usual(form, topology)))
                && meant.test(world);
        if (other && ranks > MOST) {
          larger.add((long) ranks);
        }
      }
    }
    return larger;
  }

  /** One host, hosts of one rank, and all between if the text asks how many ranks a host has. */
  private static List<String> shapes(Form form, int ranks) {
    boolean asks =
        form.params().stream()
            .anyMatch(param -> WorldParams.value(param, Topology.parse(FIRST)).isPresent());
    if (ranks > MOST && !asks) {
      return List.of("1x" + ranks);
    }
    Stream<Integer> between =
        asks && ranks <= MOST
            ? IntStream.range(2, ranks).filter(hosts -> ranks % hosts == 0).boxed()
            : Stream.empty();
    return Stream.of(Stream.of(1), Stream.of(ranks), between)
        .flatMap(hosts -> hosts)
        .map(hosts -> hosts + "x" + ranks / hosts)
        .toList();
  }

  private static Set<WorldDecisions.Decision> decided(
      WorldDecisions decisions, Form form, String world) {
    Topology topology = Topology.parse(world);
    return decisions.in(topology.world(), ofTheWorld(form, topology));
  }

  /** The others are varied, also around what a text compares with {@code n}. */
  private static Map<String, Long> ofTheWorld(Form form, Topology topology) {
    Map<String, Long> params = new TreeMap<>();
    form.params()
        .forEach(param ->
            WorldParams.value(param, topology).ifPresent(value -> params.put(param.name(), value)));
    return params;
  }

  private static Map<String, Long> usual(Form form, Topology topology) {
    Map<String, Long> params = ofTheWorld(form, topology);
    form.params()
        .forEach(
            param -> params.putIfAbsent(param.name(), Math.min(param.max(), RequestedSizes.SMALL)));
    return params;
  }

  /** Whether the text is meant for a world; any, if usual values are not what it is meant for. */
  private static Predicate<String> meant(Form form) {
    Predicate<String> meant =
        world -> {
          Topology topology = Topology.parse(world);
          try {
            return Program.intended(form, topology.world(), usual(form, topology));
          } catch (ProgramException _) {
            return false;
          }
        };
    boolean ever =
        Stream.concat(
                NEAR.stream(),
                IntStream.rangeClosed(FEWEST, MOST)
                    .boxed()
                    .flatMap(ranks -> shapes(form, ranks).stream()))
            .anyMatch(meant);
    return ever ? meant : _ -> true;
  }
}
