package dev.oriel.it.check;

import dev.oriel.domain.boundary.ParamBoundaries;
import dev.oriel.domain.program.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The worlds that are checked if none is requested, the first one most thoroughly. */
final class SmallWorlds {
  /** The world that is checked most thoroughly by default. */
  static final String FIRST = "1x2";

  private static final List<String> NEAR =
      List.of(FIRST, "2x1", "1x3", "2x2", "1x1", "3x1", "1x4", "3+1", "1x5");

  /** The numbers of ranks that the text may add: more than any of these. */
  private static final long MORE_THAN = 5;

  private static final long MOST = 9;

  /** Parameters decide at most a few things about ranks; this is a usual value of each. */
  private static final long USUAL = 1000;

  private SmallWorlds() {}

  /** All of them, beginning with that one; then more ranks, where the text asks how many. */
  static List<String> from(String first, Form form) {
    List<String> worlds = new ArrayList<>(NEAR);
    worlds.remove(first);
    worlds.addFirst(first);
    Map<String, Long> params = new TreeMap<>();
    form.params().forEach(param -> params.put(param.name(), Math.min(param.max(), USUAL)));
    ParamBoundaries.ranks(form, params).stream()
        .filter(ranks -> MORE_THAN < ranks && ranks <= MOST)
        // As ranks of one host and of as many hosts: a fence may be missing over RDMA alone.
        .flatMap(ranks -> Stream.of("1x" + ranks, ranks + "x1"))
        .filter(world -> !worlds.contains(world))
        .forEach(worlds::add);
    return worlds;
  }
}
