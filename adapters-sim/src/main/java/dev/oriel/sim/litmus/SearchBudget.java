package dev.oriel.sim.litmus;

/** How many more choices a search may try; once spent it stays spent. */
final class SearchBudget {
  private long left;

  SearchBudget(long steps) {
    left = steps;
  }

  /** Takes one step; false when there is none. */
  boolean spend() {
    return spend(1);
  }

  /** Takes the steps that a larger piece of work is worth; false when none was left. */
  boolean spend(int steps) {
    boolean some = left > 0;
    left -= steps;
    return some;
  }

  boolean spent() {
    return left <= 0;
  }
}
