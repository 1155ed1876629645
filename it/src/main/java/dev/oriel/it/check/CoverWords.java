package dev.oriel.it.check;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.words.WorldWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The worlds of a check, the number of sizes in each, and the refusals, in words. */
final class CoverWords {
  /** The reason of a refusal has to fit after its places: of more, only some are named. */
  private static final int PLACES = 4;

  private static final int NAMED = 2;

  private final CheckCoverage coverage;

  CoverWords(CheckCoverage coverage) {
    this.coverage = coverage;
  }

  List<String> worlds() {
    Combination shown = coverage.shown().combination();
    Map<String, Integer> sizes = sizes();
    if (coverage.failed() || sizes.size() == 1) {
      Topology topology = shown.topology();
      return List.of(WorldWords.world(shown.world(), topology) + network(topology.kinds()));
    }
    Map<Integer, List<String>> byCount = new LinkedHashMap<>();
    sizes.forEach(
        (world, count) -> byCount.computeIfAbsent(count, c -> new ArrayList<>()).add(world));
    List<String> words = new ArrayList<>();
    boolean one = byCount.keySet().equals(Set.of(1));
    byCount.forEach((count, worlds) ->
        words.add(String.join(", ", worlds) + (one ? "" : with(count, worlds.size() > 1))));
    if (words.size() == 1) {
      words.add(links());
    } else {
      words.set(0, "%d worlds, %s: %s".formatted(sizes.size(), links(), words.getFirst()));
    }
    return words;
  }

  /** The number of combinations of each world. */
  private Map<String, Integer> sizes() {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    coverage.checked().forEach(one -> sizes.merge(one.combination().world(), 1, Integer::sum));
    return sizes;
  }

  private static String with(int sizes, boolean each) {
    return " with " + (sizes == 1 ? "1 size" : sizes + " sizes") + (each ? " each" : "");
  }

  private String links() {
    Set<PeerKind> kinds = coverage.links();
    boolean near = kinds.contains(PeerKind.NVLINK);
    boolean far = kinds.contains(PeerKind.RDMA);
    return near && far
        ? "by NVLink and RDMA"
        : near ? "by NVLink, no network" : far ? "by RDMA" : "no network";
  }

  private static String network(Set<PeerKind> kinds) {
    return kinds.contains(PeerKind.RDMA) ? "" : ", no network";
  }

  /** The refused combinations, grouped by reason, which a long list would push off its line. */
  List<String> refused() {
    Map<String, Map<String, List<Map<String, Long>>>> byReason = new LinkedHashMap<>();
    for (CheckCoverage.RefusedCombination one : coverage.refused()) {
      byReason
          .computeIfAbsent(one.what(), what -> new LinkedHashMap<>())
          .computeIfAbsent(one.world(), world -> new ArrayList<>())
          .add(one.params());
    }
    List<String> words = new ArrayList<>();
    byReason.forEach((reason, worlds) -> {
      List<String> places = new ArrayList<>();
      worlds.forEach((world, params) -> places.add(place(world, params)));
      String all = "%s: %s".formatted(first(places), reason);
      // A mistake comes before limits that an author may intend.
      boolean first =
          coverage.refused().stream().anyMatch(r -> r.what().equals(reason) && r.mistaken());
      words.add(first ? 0 : words.size(), all);
    });
    return words;
  }

  private static String first(List<String> places) {
    return places.size() <= PLACES
        ? String.join(", ", places)
        : "%s and in %d more worlds"
            .formatted(String.join(", ", places.subList(0, NAMED)), places.size() - NAMED);
  }

  /** Only the world if nothing was checked in it, or if the program has no sizes. */
  private String place(String world, List<Map<String, Long>> refused) {
    if (!sizes().containsKey(world) || refused.getFirst().isEmpty()) {
      return world;
    }
    if (refused.getFirst().size() == 1) {
      String name = refused.getFirst().keySet().iterator().next();
      TreeSet<Long> values = new TreeSet<>();
      refused.forEach(params -> values.add(params.getOrDefault(name, 0L)));
      return "%s=%s in %s".formatted(name, ParamWords.runs(values), world);
    }
    String first = Combination.values(refused.getFirst()).strip();
    int more = refused.size() - 1;
    return first + (more == 0 ? "" : " and %d more".formatted(more)) + " in " + world;
  }
}
