package dev.oriel.domain.binding;

import java.util.Map;
import java.util.TreeMap;

/**
 * A sum of integer multiples of unknowns, in exact arithmetic: an overflow throws and proves
 * nothing.
 */
record LinearExpression(TreeMap<SymbolicValue, Long> terms, long constant) {
  static final LinearExpression ZERO = of(0);

  static LinearExpression of(long constant) {
    return new LinearExpression(new TreeMap<>(), constant);
  }

  static LinearExpression of(SymbolicValue unknown) {
    TreeMap<SymbolicValue, Long> terms = new TreeMap<>();
    terms.put(unknown, 1L);
    return new LinearExpression(terms, 0);
  }

  boolean isConstant() {
    return terms.isEmpty();
  }

  LinearExpression plus(LinearExpression other) {
    return plus(other, 1);
  }

  LinearExpression minus(LinearExpression other) {
    return plus(other, -1);
  }

  LinearExpression plus(long more) {
    return new LinearExpression(terms, Math.addExact(constant, more));
  }

  LinearExpression times(long factor) {
    return ZERO.plus(this, factor);
  }

  /** This sum with {@code factor * replacement} instead of {@code factor * unknown}. */
  LinearExpression replace(SymbolicValue unknown, LinearExpression replacement) {
    Long factor = terms.get(unknown);
    if (factor == null) {
      return this;
    }
    TreeMap<SymbolicValue, Long> rest = new TreeMap<>(terms);
    rest.remove(unknown);
    return new LinearExpression(rest, constant).plus(replacement, factor);
  }

  private LinearExpression plus(LinearExpression other, long factor) {
    TreeMap<SymbolicValue, Long> sum = new TreeMap<>(terms);
    for (Map.Entry<SymbolicValue, Long> term : other.terms.entrySet()) {
      long more = Math.multiplyExact(term.getValue(), factor);
      long total = Math.addExact(sum.getOrDefault(term.getKey(), 0L), more);
      if (total == 0) {
        sum.remove(term.getKey());
      } else {
        sum.put(term.getKey(), total);
      }
    }
    return new LinearExpression(
        sum, Math.addExact(constant, Math.multiplyExact(other.constant, factor)));
  }

  /** The largest number that divides every value this sum can take; 0 for the constant 0. */
  long stride() {
    long gcd = Math.abs(constant);
    for (Map.Entry<SymbolicValue, Long> term : terms.entrySet()) {
      gcd = gcd(gcd, Math.abs(Math.multiplyExact(term.getValue(), term.getKey().stride())));
    }
    return gcd;
  }

  /**
   * The largest power of two that divides the word, even if the sum wraps; 0 for the constant 0.
   */
  long wrappedStride() {
    return Long.lowestOneBit(stride());
  }

  static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
