package dev.oriel.sim.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Programs of which some tells a changed engine from the right one. Who told last is asked first:
 * changes that stand side by side mostly show in the same program, and an engine that was just
 * loaded is slow in each.
 */
final class Witnesses<T> {
  private final List<T> order;

  Witnesses(Collection<T> all) {
    order = new ArrayList<>(all);
  }

  /** Whether any of them tells. */
  boolean any(Predicate<T> tells) {
    for (int i = 0; i < order.size(); i++) {
      T one = order.get(i);
      if (tells.test(one)) {
        order.remove(i);
        order.addFirst(one);
        return true;
      }
    }
    return false;
  }
}
