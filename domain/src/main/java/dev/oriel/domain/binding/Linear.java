package dev.oriel.domain.binding;

import java.util.Map;
import java.util.TreeMap;

/**
 * A sum of integer multiples of unknowns, in exact arithmetic: an overflow throws and proves
 * nothing.
 */
record Linear(TreeMap<Unknown, Long> terms, long constant) {
  static final Linear ZERO = of(0);

  static Linear of(long constant) {
    return new Linear(new TreeMap<>(), constant);
  }

  static Linear of(Unknown unknown) {
    TreeMap<Unknown, Long> terms = new TreeMap<>();
    terms.put(unknown, 1L);
    return new Linear(terms, 0);
  }

  boolean isConstant() {
    return terms.isEmpty();
  }

  Linear plus(Linear other) {
    return plus(other, 1);
  }

  Linear minus(Linear other) {
    return plus(other, -1);
  }

  Linear plus(long more) {
    return new Linear(terms, Math.addExact(constant, more));
  }

  Linear times(long factor) {
    return ZERO.plus(this, factor);
  }

  /** This sum with {@code factor * replacement} instead of {@code factor * unknown}. */
  Linear replace(Unknown unknown, Linear replacement) {
    Long factor = terms.get(unknown);
    if (factor == null) {
      return this;
    }
    TreeMap<Unknown, Long> rest = new TreeMap<>(terms);
    rest.remove(unknown);
    return new Linear(rest, constant).plus(replacement, factor);
  }

  private Linear plus(Linear other, long factor) {
    TreeMap<Unknown, Long> sum = new TreeMap<>(terms);
    for (Map.Entry<Unknown, Long> term : other.terms.entrySet()) {
      long more = Math.multiplyExact(term.getValue(), factor);
      long total = Math.addExact(sum.getOrDefault(term.getKey(), 0L), more);
      if (total == 0) {
        sum.remove(term.getKey());
      } else {
        sum.put(term.getKey(), total);
      }
    }
    return new Linear(sum, Math.addExact(constant, Math.multiplyExact(other.constant, factor)));
  }

  /** The largest number that divides every value this sum can take; 0 for the constant 0. */
  long stride() {
    long gcd = Math.abs(constant);
    for (Map.Entry<Unknown, Long> term : terms.entrySet()) {
      gcd = gcd(gcd, Math.abs(Math.multiplyExact(term.getValue(), term.getKey().stride())));
    }
    return gcd;
  }

  static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
