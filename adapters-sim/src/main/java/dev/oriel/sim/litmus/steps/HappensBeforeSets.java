package dev.oriel.sim.litmus.steps;

import java.util.Arrays;

/**
 * The accesses that happened before a step: sets of bits, joined set by set. The first set is plain
 * happens-before. In a test with proxies, the other sets hold the accesses that have passed certain
 * fences, see {@link ProxyLayers}.
 */
final class HappensBeforeSets {
  private final long[] sets;

  HappensBeforeSets(int sets) {
    this.sets = new long[sets];
  }

  private HappensBeforeSets(long[] sets) {
    this.sets = sets;
  }

  long set(int index) {
    return sets[index];
  }

  int sets() {
    return sets.length;
  }

  HappensBeforeSets with(int index, long more) {
    long[] next = sets.clone();
    next[index] |= more;
    return new HappensBeforeSets(next);
  }

  HappensBeforeSets join(HappensBeforeSets other) {
    long[] next = sets.clone();
    for (int i = 0; i < next.length; i++) {
      next[i] |= other.sets[i];
    }
    return new HappensBeforeSets(next);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HappensBeforeSets knowledge && Arrays.equals(sets, knowledge.sets);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sets);
  }
}
