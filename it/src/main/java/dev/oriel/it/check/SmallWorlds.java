package dev.oriel.it.check;

import java.util.ArrayList;
import java.util.List;

/** The worlds that are checked if none is requested, the first one most thoroughly. */
final class SmallWorlds {
  /** The world that is checked most thoroughly by default. */
  static final String FIRST = "1x2";

  private static final List<String> NEAR =
      List.of(FIRST, "2x1", "1x3", "2x2", "1x1", "3x1", "1x4", "3+1", "1x5");

  private SmallWorlds() {}

  /** All of them, beginning with that one. */
  static List<String> from(String first) {
    List<String> worlds = new ArrayList<>(NEAR);
    worlds.remove(first);
    worlds.addFirst(first);
    return worlds;
  }
}
