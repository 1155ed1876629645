package dev.oriel.it.check;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Values that the text implies, and that are too large to search.
 *
 * @param size the sizes that are checked most thoroughly
 * @param sizes values of parameters by name, the most revealing first
 * @param ranks numbers of ranks
 */
record UnsearchedValues(
    Map<String, Long> size, Map<String, SequencedSet<Long>> sizes, SortedSet<Long> ranks) {

  /** All parameters with one of the values; the others as in {@code size}. */
  List<Map<String, Long>> params() {
    List<Map<String, Long>> all = new ArrayList<>();
    sizes.forEach((name, values) ->
        values.forEach(value -> all.add(CombinationBinder.with(size, name, value))));
    return all;
  }

  /** Those of the sizes that fulfil a condition on all parameters. */
  UnsearchedValues only(Predicate<Map<String, Long>> wanted) {
    Map<String, SequencedSet<Long>> left = new LinkedHashMap<>();
    sizes.forEach((name, values) -> {
      SequencedSet<Long> some = new LinkedHashSet<>(values);
      some.removeIf(value -> !wanted.test(CombinationBinder.with(size, name, value)));
      if (!some.isEmpty()) {
        left.put(name, some);
      }
    });
    return new UnsearchedValues(size, left, ranks);
  }

  /** Each parameter with its values, then the numbers of ranks. */
  List<String> texts() {
    List<String> all = new ArrayList<>();
    sizes.forEach((name, values) -> all.add(text(name, values)));
    if (!ranks.isEmpty()) {
      all.add(text("n", ranks));
    }
    return all;
  }

  /** The same as a verdict names it. */
  List<String> words() {
    List<String> all = new ArrayList<>();
    if (!sizes.isEmpty()) {
      all.add(
          sizes.entrySet().stream()
              .map(one -> text(one.getKey(), one.getValue()))
              .collect(joining(", ", "", " (too large to search)")));
    }
    if (!ranks.isEmpty()) {
      all.add(text("n", ranks) + " (not searched)");
    }
    return all;
  }

  private static String text(String name, SequencedSet<Long> values) {
    return name + "=" + ParamWords.runs(new TreeSet<>(values));
  }
}
