package dev.oriel.it.check;

import java.util.ArrayList;
import java.util.List;

/** The worlds that are checked if none is requested, the first one most thoroughly. */
final class SmallWorlds {
  private static final List<String> NEAR =
      List.of("1x2", "2x1", "1x3", "2x2", "1x1", "3x1", "1x4", "3+1", "1x5");

  private SmallWorlds() {}

  /** All of them, beginning with that one. */
  static List<String> from(String first) {
    List<String> worlds = new ArrayList<>(NEAR);
    worlds.remove(first);
    worlds.addFirst(first);
    return worlds;
  }
}
