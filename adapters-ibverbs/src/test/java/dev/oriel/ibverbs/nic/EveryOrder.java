package dev.oriel.ibverbs.nic;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Runs a scenario once for every sequence of its choices. */
final class EveryOrder {
  private final List<Integer> taken = new ArrayList<>();
  private final List<Integer> width = new ArrayList<>();
  private int depth;
  private int runs;

  /** The results of all runs. */
  static Set<String> outcomes(Function<StepChoice, String> scenario) {
    EveryOrder order = new EveryOrder();
    Set<String> seen = new TreeSet<>();
    do {
      order.depth = 0;
      order.runs++;
      seen.add(scenario.apply(order::choose));
    } while (order.next());
    return seen;
  }

  private int choose(int steps) {
    if (depth == taken.size()) {
      taken.add(0);
      width.add(steps);
    }
    if (width.get(depth) != steps) {
      throw new IllegalStateException("the same choices led elsewhere: depth=" + depth);
    }
    return taken.get(depth++);
  }

  private boolean next() {
    if (runs > 2_000_000) {
      throw new IllegalStateException("too many ways: runs=" + runs);
    }
    for (int last = taken.size() - 1; last >= 0; last--) {
      if (taken.get(last) + 1 < width.get(last)) {
        taken.set(last, taken.get(last) + 1);
        return true;
      }
      taken.removeLast();
      width.removeLast();
    }
    return false;
  }
}
