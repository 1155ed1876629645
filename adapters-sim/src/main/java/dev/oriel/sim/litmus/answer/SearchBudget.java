package dev.oriel.sim.litmus.answer;

/** How many more choices a search may try; once spent it stays spent. */
public final class SearchBudget {
  private long left;

  public SearchBudget(long steps) {
    left = steps;
  }

  /** Takes one step; false when there is none. */
  public boolean spend() {
    return spend(1);
  }

  /** Takes the steps that a larger piece of work is worth; false when none was left. */
  public boolean spend(int steps) {
    boolean some = left > 0;
    left -= steps;
    return some;
  }

  public boolean spent() {
    return left <= 0;
  }
}
