package dev.oriel.bootstrap;

/** Checks the range of a rank and of a world. */
final class RankChecks {
  private RankChecks() {}

  static void checkWorld(int world) {
    if (world < 1) {
      throw new IllegalArgumentException(
          "world out of range: world=" + world + ", min=1; give the number of ranks");
    }
  }

  static void check(int rank, int world) {
    checkWorld(world);
    if (rank < 0 || rank >= world) {
      throw new IllegalArgumentException(
          "rank out of range: rank=%d, world=%d; give 0 to world - 1".formatted(rank, world));
    }
  }
}
