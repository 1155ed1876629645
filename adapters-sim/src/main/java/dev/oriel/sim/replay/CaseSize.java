package dev.oriel.sim.replay;

import java.util.List;

/**
 * The size of a case: naturals in lexicographic order. The components have the order of the passes,
 * so a later pass never undoes an earlier one's progress. Every descent is finite, since the
 * naturals have no infinite descent and the number of components is fixed.
 *
 * @param components faults, ranks (then hosts), sizes, launches, operations, deviations, the sum of
 *     their choices, the sum of their distances from {@link ChoiceScript#MAX_LENGTH}, and the
 *     distance of the profile from the strongest
 */
record CaseSize(List<Long> components) implements Comparable<CaseSize> {
  CaseSize {
    components = List.copyOf(components);
    if (components.stream().anyMatch(c -> c < 0)) {
      throw new IllegalArgumentException(
          "negative measure: components=" + components + "; count in naturals");
    }
  }

  @Override
  public int compareTo(CaseSize other) {
    for (int i = 0; i < components.size(); i++) {
      int order = Long.compare(components.get(i), other.components.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
