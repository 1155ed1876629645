package dev.oriel.it.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Combinations that the text implies, and that were neither searched nor executed once.
 *
 * @param named those that exceeded the effort, or that are too large
 * @param others the number of values beyond the most of one parameter
 */
record LeftOut(List<Candidate> named, int others) {
  LeftOut {
    named = List.copyOf(named);
  }

  int count() {
    return named.size() + others;
  }

  /** The number with an example; empty if there are none. */
  Optional<String> words() {
    if (count() == 0) {
      return Optional.empty();
    }
    List<String> groups = groups();
    return Optional.of(
        "%d more combinations of sizes and worlds%s"
            .formatted(count(), groups.isEmpty() ? "" : ": " + some(groups)));
  }

  private static String some(List<String> groups) {
    return groups.getFirst() + (groups.size() == 1 ? "" : ", and others");
  }

  /** All that have names: the sizes of one world, or of several worlds with the same sizes. */
  List<String> groups() {
    Map<String, List<Map<String, Long>>> byWorld = new LinkedHashMap<>();
    named.forEach(
        one -> byWorld.computeIfAbsent(one.world(), _ -> new ArrayList<>()).add(one.params()));
    Map<String, List<String>> bySizes = new LinkedHashMap<>();
    byWorld.forEach(
        (world, sizes) -> bySizes.computeIfAbsent(sizes(sizes), _ -> new ArrayList<>()).add(world));
    return bySizes.entrySet().stream()
        .map(one -> (one.getKey() + " in " + String.join(", ", one.getValue())).strip())
        .toList();
  }

  private static String sizes(List<Map<String, Long>> sizes) {
    if (sizes.getFirst().size() == 1) {
      String name = sizes.getFirst().keySet().iterator().next();
      TreeSet<Long> values = new TreeSet<>();
      sizes.forEach(params -> values.addAll(params.values()));
      return name + "=" + ParamWords.runs(values);
    }
    return String.join(
        ", ", sizes.stream().map(params -> Combination.values(params).strip()).toList());
  }
}
