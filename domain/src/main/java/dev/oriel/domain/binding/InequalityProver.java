package dev.oriel.domain.binding;

import dev.oriel.domain.binding.SymbolicValue.Choice;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Proves inequalities between sums of unknowns. It is sound but not complete: an inequality that it
 * cannot prove is reported to the author, never assumed.
 *
 * <p>A sum is non-negative in any of these cases. Its bounds say so. It is non-negative for one
 * option of a subtracted minimum (or an added maximum). It is non-negative for both options of an
 * added minimum (or a subtracted maximum). It is still non-negative after a fact, which is itself
 * non-negative, is subtracted once or several times.
 */
final class InequalityProver {
  private static final int MAX_DEPTH = 5;

  /** The most steps of one proof; a longer proof is not found. */
  private static final int MAX_STEPS = 20_000;

  private final BindingBudget effort;
  private final List<LinearExpression> facts = new ArrayList<>();

  /** The range of an unknown according to facts, if narrower than its own bounds. */
  private final Map<SymbolicValue, Range> ranges = new TreeMap<>();

  private final List<Before> before = new ArrayList<>();
  private int unknowns;
  private int steps;

  private record Range(long low, long high) {}

  /** The range of an unknown before the fact with that number. */
  private record Before(int fact, SymbolicValue unknown, Optional<Range> range) {}

  InequalityProver(BindingBudget effort) {
    this.effort = effort;
  }

  /** A fresh unknown within bounds. */
  LinearExpression unknown(long low, long high, long stride) {
    return LinearExpression.of(
        new SymbolicValue(unknowns++, low, high, Math.max(1, stride), Choice.NONE, List.of()));
  }

  /** An arbitrary word that is a multiple of a power of two. */
  LinearExpression anyWord(long stride) {
    return unknown(-SymbolicValue.FAR, SymbolicValue.FAR, Long.lowestOneBit(Math.max(1, stride)));
  }

  /** The unsigned minimum or maximum of two sums. */
  LinearExpression choice(Choice choice, LinearExpression a, LinearExpression b) {
    if (!bounded(a) || !bounded(b)) {
      // The result is one of the two, so what divides both divides it.
      long stride = LinearExpression.gcd(a.wrappedStride(), b.wrappedStride());
      return choice == Choice.SMALLER && bounded(a) != bounded(b)
          ? atMost(bounded(a) ? a : b, stride)
          : anyWord(stride);
    }
    if (nonNegative(a.minus(b))) {
      return choice == Choice.SMALLER ? b : a;
    }
    if (nonNegative(b.minus(a))) {
      return choice == Choice.SMALLER ? a : b;
    }
    long low = Math.min(low(a), low(b));
    long high = choice == Choice.SMALLER ? Math.min(high(a), high(b)) : Math.max(high(a), high(b));
    long stride = Math.max(1, LinearExpression.gcd(a.stride(), b.stride()));
    return LinearExpression.of(
        new SymbolicValue(unknowns++, Math.max(0, low), high, stride, choice, List.of(a, b)));
  }

  /** The unsigned minimum of a known sum and an arbitrary word. */
  private LinearExpression atMost(LinearExpression known, long stride) {
    LinearExpression least = unknown(0, high(known), stride);
    assumeAtMost(least, known);
    return least;
  }

  int facts() {
    return facts.size();
  }

  /** Assumes {@code sum >= 0} until {@link #forget}. */
  void assume(LinearExpression sum) {
    facts.add(sum);
    if (sum.terms().size() == 1) {
      Map.Entry<SymbolicValue, Long> term = sum.terms().firstEntry();
      narrow(term.getKey(), term.getValue(), sum.constant());
    }
  }

  /** Narrows the range: {@code factor * unknown + constant} is not negative. */
  private void narrow(SymbolicValue unknown, long factor, long constant) {
    if (constant == Long.MIN_VALUE || factor == Long.MIN_VALUE) {
      return;
    }
    long low = low(unknown);
    long high = high(unknown);
    if (factor > 0) {
      low = Math.max(low, Math.ceilDiv(-constant, factor));
    } else {
      high = Math.min(high, Math.floorDiv(constant, -factor));
    }
    before.add(new Before(facts.size() - 1, unknown, Optional.ofNullable(ranges.get(unknown))));
    ranges.put(unknown, new Range(low, high));
  }

  private long low(SymbolicValue unknown) {
    Range range = ranges.get(unknown);
    return range == null ? unknown.low() : range.low();
  }

  private long high(SymbolicValue unknown) {
    Range range = ranges.get(unknown);
    return range == null ? unknown.high() : range.high();
  }

  void forget(int mark) {
    facts.subList(mark, facts.size()).clear();
    while (!before.isEmpty() && before.getLast().fact() >= mark) {
      Before last = before.removeLast();
      last.range()
          .ifPresentOrElse(r -> ranges.put(last.unknown(), r), () -> ranges.remove(last.unknown()));
    }
  }

  /** The facts since the mark. */
  List<LinearExpression> since(int mark) {
    return List.copyOf(facts.subList(mark, facts.size()));
  }

  /** Whether a fact since the mark contains an unknown of either sum. */
  boolean hasFactSince(int mark, LinearExpression a, LinearExpression b) {
    return facts.subList(mark, facts.size()).stream()
        .flatMap(f -> f.terms().keySet().stream())
        .anyMatch(u -> a.terms().containsKey(u) || b.terms().containsKey(u));
  }

  /** Assumes {@code a <= b} until {@link #forget}; on overflow it adds no fact. */
  void assumeAtMost(LinearExpression a, LinearExpression b) {
    try {
      assume(b.minus(a));
    } catch (ArithmeticException overflow) {
      return;
    }
  }

  /** Assumes {@code a < b} until {@link #forget}; on overflow it adds no fact. */
  void assumeBelow(LinearExpression a, LinearExpression b) {
    try {
      assume(b.minus(a).plus(-1));
    } catch (ArithmeticException overflow) {
      return;
    }
  }

  /** Whether both bounds of the sum are known, so that it never wraps. */
  boolean finite(LinearExpression sum) {
    return low(sum) > -SymbolicValue.FAR && high(sum) < SymbolicValue.FAR;
  }

  /** Whether the sum is certainly a word whose signed and unsigned values agree. */
  boolean word(LinearExpression sum) {
    return sum.isConstant() ? sum.constant() >= 0 : bounded(sum);
  }

  /** Whether the word is certainly not zero. */
  boolean nonZero(LinearExpression sum) {
    return sum.isConstant()
        ? sum.constant() != 0
        : bounded(sum) && below(LinearExpression.ZERO, sum);
  }

  /** Whether the sum is certainly below the limit. */
  boolean below(LinearExpression sum, long limit) {
    return below(sum, LinearExpression.of(limit));
  }

  /** Whether {@code a < b} certainly holds. */
  boolean below(LinearExpression a, LinearExpression b) {
    try {
      return nonNegative(b.minus(a).plus(-1));
    } catch (ArithmeticException overflow) {
      return false;
    }
  }

  /** Whether {@code a <= b} certainly holds. */
  boolean atMost(LinearExpression a, LinearExpression b) {
    try {
      return nonNegative(b.minus(a));
    } catch (ArithmeticException overflow) {
      return false;
    }
  }

  /** Whether the sum is certainly a word from 0 to 2^63 - 1. */
  boolean bounded(LinearExpression sum) {
    return high(sum) < SymbolicValue.FAR && nonNegative(sum);
  }

  boolean nonNegative(LinearExpression sum) {
    steps = 0;
    try {
      return low(sum) >= 0 || byOneFact(sum) || nonNegative(sum, 0);
    } catch (ArithmeticException overflow) {
      return false;
    }
  }

  /** The shortest proofs first: the search may be exhausted before it comes to the right fact. */
  private boolean byOneFact(LinearExpression sum) {
    return facts.stream().anyMatch(fact -> byFact(sum, fact));
  }

  private boolean byFact(LinearExpression sum, LinearExpression fact) {
    try {
      return timesTaken(sum, fact).stream()
          .anyMatch(times -> low(sum.minus(fact.times(times))) >= 0);
    } catch (ArithmeticException overflow) {
      return false;
    }
  }

  private boolean nonNegative(LinearExpression sum, int depth) {
    if (low(sum) >= 0) {
      return true;
    }
    if (depth == MAX_DEPTH || !step()) {
      return false;
    }
    for (Map.Entry<SymbolicValue, Long> term : sum.terms().entrySet()) {
      SymbolicValue unknown = term.getKey();
      if (unknown.choice() == Choice.NONE) {
        continue;
      }
      boolean first = nonNegative(sum.replace(unknown, unknown.options().get(0)), depth + 1);
      boolean either = (unknown.choice() == Choice.SMALLER) == (term.getValue() < 0);
      if (either) {
        if (first || nonNegative(sum.replace(unknown, unknown.options().get(1)), depth + 1)) {
          return true;
        }
      } else if (first && nonNegative(sum.replace(unknown, unknown.options().get(1)), depth + 1)) {
        return true;
      }
    }
    for (LinearExpression fact : facts) {
      if (!step()) {
        return false;
      }
      for (long times : timesTaken(sum, fact)) {
        if (nonNegative(sum.minus(fact.times(times)), depth + 1)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The numbers of times to subtract a fact: once, or until one of its unknowns is gone. */
  private static Set<Long> timesTaken(LinearExpression sum, LinearExpression fact) {
    Set<Long> times = new TreeSet<>();
    for (Map.Entry<SymbolicValue, Long> term : fact.terms().entrySet()) {
      Long factor = sum.terms().get(term.getKey());
      if (factor != null) {
        times.add(1L);
        if (factor % term.getValue() == 0 && factor / term.getValue() > 1) {
          times.add(factor / term.getValue());
        }
      }
    }
    return times;
  }

  private boolean step() {
    effort.spend();
    return ++steps <= MAX_STEPS;
  }

  /** A lower bound of the sum, also for arbitrary words. */
  BigInteger least(LinearExpression sum) {
    return extreme(sum, 1);
  }

  /** An upper bound of the sum, also for arbitrary words. */
  BigInteger most(LinearExpression sum) {
    return extreme(sum, -1);
  }

  private BigInteger extreme(LinearExpression sum, int sign) {
    BigInteger bound = BigInteger.valueOf(sum.constant());
    for (Map.Entry<SymbolicValue, Long> term : sum.terms().entrySet()) {
      SymbolicValue unknown = term.getKey();
      long end = term.getValue() * sign > 0 ? low(unknown) : high(unknown);
      // An unknown without a bound is still a 64-bit word.
      long word = end == -SymbolicValue.FAR ? Long.MIN_VALUE : end;
      bound = bound.add(BigInteger.valueOf(term.getValue()).multiply(BigInteger.valueOf(word)));
    }
    return bound;
  }

  /** A lower bound of the sum; -{@link SymbolicValue#FAR} if there is none. */
  long low(LinearExpression sum) {
    return bound(sum, 1);
  }

  /** An upper bound of the sum; {@link SymbolicValue#FAR} if there is none. */
  long high(LinearExpression sum) {
    return -bound(sum, -1);
  }

  private long bound(LinearExpression sum, int sign) {
    try {
      long bound = Math.multiplyExact(sum.constant(), (long) sign);
      for (Map.Entry<SymbolicValue, Long> term : sum.terms().entrySet()) {
        SymbolicValue unknown = term.getKey();
        long factor = Math.multiplyExact(term.getValue(), (long) sign);
        long end = factor > 0 ? low(unknown) : high(unknown);
        if (end == SymbolicValue.FAR || end == -SymbolicValue.FAR) {
          return -SymbolicValue.FAR;
        }
        bound = Math.addExact(bound, Math.multiplyExact(factor, end));
      }
      return bound;
    } catch (ArithmeticException overflow) {
      return -SymbolicValue.FAR;
    }
  }
}
