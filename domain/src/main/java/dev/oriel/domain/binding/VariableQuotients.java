package dev.oriel.domain.binding;

import dev.oriel.domain.program.Operator;
import java.util.ArrayList;
import java.util.List;

/**
 * Quotients whose divisor only the running lane knows, and what follows from them: part {@code c}
 * of {@code k} equal parts lies inside the whole, whichever {@code c < k}.
 */
final class VariableQuotients {
  /**
   * The number of quotients that are remembered; an older one proves less, never something wrong.
   */
  private static final int REMEMBERED = 16;

  /** Larger multiples of a divisor might overflow. */
  private static final long MAX_PARTS = 1L << 32;

  private final InequalityProver prover;
  private final List<Quotient> quotients = new ArrayList<>();

  /**
   * A quotient of two sums that do not wrap: the dividend is not negative, the divisor positive.
   *
   * @param since the number of facts known when it was computed
   */
  private record Quotient(
      Operator operator,
      LinearExpression dividend,
      LinearExpression divisor,
      LinearExpression value,
      int since) {}

  VariableQuotients(InequalityProver prover) {
    this.prover = prover;
  }

  /** The quotient, rounded as the operator says. */
  LinearExpression quotient(Operator operator, LinearExpression a, LinearExpression b) {
    int since = prover.facts();
    LinearExpression value =
        prover.unknown(
            operator.apply(prover.low(a), Math.max(1, prover.high(b))),
            operator.apply(prover.high(a), Math.max(1, prover.low(b))),
            1);
    prover.assumeAtMost(value, a);
    limit(operator, value, a, b);
    for (Quotient other : quotients) {
      if (other.operator == operator && other.divisor.equals(b)) {
        if (prover.atMost(other.dividend, a)) {
          prover.assumeAtMost(other.value, value);
        }
        if (prover.atMost(a, other.dividend)) {
          prover.assumeAtMost(value, other.value);
        }
      }
    }
    if (quotients.size() == REMEMBERED) {
      quotients.removeFirst();
    }
    quotients.add(new Quotient(operator, a, b, value, since));
    return value;
  }

  /**
   * A dividend of at most {@code m} divisors has a quotient of at most {@code m}; a smaller one,
   * rounded down, has a smaller quotient.
   */
  private void limit(
      Operator operator, LinearExpression value, LinearExpression a, LinearExpression b) {
    for (long m : a.terms().values()) {
      if (m <= 0 || m > MAX_PARTS) {
        continue;
      }
      LinearExpression whole = b.times(m);
      if (operator == Operator.DIV && prover.below(a, whole)) {
        prover.assumeBelow(value, LinearExpression.of(m));
      } else if (prover.atMost(a, whole)) {
        prover.assumeAtMost(value, LinearExpression.of(m));
      }
    }
  }

  /**
   * Assumes what is known of a product if a factor is a rounded-down quotient. The product of the
   * divisor and the quotient is at most the dividend, so a smaller factor leaves room for at least
   * one more quotient. Such a product does not wrap.
   */
  void product(LinearExpression product, LinearExpression a, LinearExpression b) {
    for (Quotient q : quotients) {
      LinearExpression factor = q.value.equals(a) ? b : q.value.equals(b) ? a : null;
      if (factor == null || q.operator != Operator.DIV || !prover.nonNegative(factor)) {
        continue;
      }
      if (prover.below(factor, q.divisor)) {
        assume(product, product.plus(q.value), q.dividend);
      } else if (prover.atMost(factor, q.divisor)) {
        assume(product, product, q.dividend);
      }
    }
  }

  /** Adds no fact a second time, since every proof looks at all of them. */
  private void assume(LinearExpression product, LinearExpression part, LinearExpression whole) {
    if (!prover.nonNegative(product) || !prover.atMost(part, whole)) {
      prover.assumeAtMost(LinearExpression.ZERO, product);
      prover.assumeAtMost(part, whole);
    }
  }

  /** Forgets the quotients that were computed with facts since the mark. */
  void forget(int mark) {
    quotients.removeIf(q -> q.since > mark);
  }
}
