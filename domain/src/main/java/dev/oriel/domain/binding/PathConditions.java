package dev.oriel.domain.binding;

import dev.oriel.domain.window.Comparison;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Comparisons of words that hold at one point of a lane, and the facts about sums that follow from
 * them.
 *
 * <p>A word is its sum modulo 2^64, and its order is unsigned. A comparison therefore yields a fact
 * about the sums only if these are known not to have wrapped. A later comparison may make an
 * earlier one useful: {@code p >= 1} says nothing about an arbitrary word, but says that it is not
 * 0 once {@code p <= 2} holds too. A comparison without a fact is therefore kept, and tried again
 * when more is known about its unknowns.
 */
final class PathConditions {
  private static final BigInteger CIRCLE = BigInteger.ONE.shiftLeft(Long.SIZE);
  private static final BigInteger HALF = BigInteger.ONE.shiftLeft(Long.SIZE - 1);

  /** A comparison of two words that holds. */
  record Term(LinearExpression a, Comparison comparison, LinearExpression b) {
    /** The comparison that holds if this one does not; none if its sums leave the range. */
    List<Term> not() {
      return switch (comparison) {
        case LT -> List.of(new Term(a, Comparison.GE, b));
        case LE -> List.of(new Term(a, Comparison.GT, b));
        case GT -> List.of(new Term(a, Comparison.LE, b));
        case GE -> List.of(new Term(a, Comparison.LT, b));
        case NE -> List.of(new Term(a, Comparison.EQ, b));
        case EQ -> List.of(new Term(a, Comparison.NE, b));
        case REACHED -> notReached();
      };
    }

    private List<Term> notReached() {
      try {
        return List.of(new Term(b.plus(-1), Comparison.REACHED, a));
      } catch (ArithmeticException overflow) {
        return List.of();
      }
    }
  }

  /**
   * An assumed comparison, with its position among the facts and the position of its first own
   * fact.
   */
  private static final class Taken {
    private final Term term;
    private final int since;
    private int says = NOTHING;

    Taken(Term term, int since) {
      this.term = term;
      this.since = since;
    }
  }

  private static final int NOTHING = Integer.MAX_VALUE;

  private final InequalityProver prover;
  private final List<Taken> taken = new ArrayList<>();

  PathConditions(InequalityProver prover) {
    this.prover = prover;
  }

  /** The current end of the list of facts. */
  int mark() {
    // Adds a dummy fact, so that the next assumption certainly comes after the mark.
    prover.assume(LinearExpression.ZERO);
    return prover.facts() - 1;
  }

  /** Forgets everything assumed since the mark. */
  void forget(int mark) {
    prover.forget(mark);
    taken.removeIf(t -> t.since > mark);
    taken.stream().filter(t -> t.says >= mark).forEach(t -> t.says = NOTHING);
  }

  /** Assumes these comparisons until they are forgotten. */
  void assume(List<Term> terms) {
    int first = prover.facts();
    terms.forEach(t -> taken.add(new Taken(t, first)));
    settle(first);
  }

  /**
   * Tries the comparisons assumed at {@code first}, and every earlier one without a fact whose
   * unknowns occur in facts since then.
   */
  private void settle(int first) {
    boolean more = true;
    for (int asked = 0; more; asked++) {
      more = false;
      for (Taken t : taken) {
        boolean fresh = asked == 0 && t.since == first;
        if (t.says == NOTHING && (fresh || prover.hasFactSince(first, t.term.a, t.term.b))) {
          int before = prover.facts();
          say(t.term);
          if (prover.facts() > before) {
            t.says = before;
            more = true;
          }
        }
      }
    }
  }

  /**
   * Assumes that at least one of the comparisons does not hold, and keeps the facts common to all
   * possible cases. In case i the comparisons before i hold.
   */
  void assumeNotAll(List<Term> terms) {
    if (terms.size() == 1) {
      assume(terms.getFirst().not());
      return;
    }
    List<List<LinearExpression>> cases = new ArrayList<>();
    for (int i = 0; i < terms.size(); i++) {
      List<Term> here = new ArrayList<>(terms.subList(0, i));
      here.addAll(terms.get(i).not());
      int mark = mark();
      assume(here);
      if (!contradicted(mark)) {
        cases.add(prover.since(mark));
      }
      forget(mark);
    }
    List<LinearExpression> common = new ArrayList<>();
    for (List<LinearExpression> one : cases) {
      for (LinearExpression fact : one) {
        if (!fact.isConstant() && cases.stream().allMatch(other -> follows(fact, other))) {
          common.add(fact);
        }
      }
    }
    int first = prover.facts();
    common.forEach(prover::assume);
    settle(first);
  }

  private boolean follows(LinearExpression fact, List<LinearExpression> from) {
    int mark = mark();
    from.forEach(prover::assume);
    boolean follows = prover.nonNegative(fact);
    forget(mark);
    return follows;
  }

  /** Whether a fact since the mark is impossible. */
  boolean contradicted(int mark) {
    return prover.since(mark).stream().anyMatch(this::impossible);
  }

  private boolean impossible(LinearExpression fact) {
    try {
      return prover.nonNegative(fact.times(-1).plus(-1));
    } catch (ArithmeticException overflow) {
      return false;
    }
  }

  private void say(Term term) {
    LinearExpression a = term.a;
    LinearExpression b = term.b;
    try {
      switch (term.comparison) {
        case LE, LT -> order(a, b, term.comparison == Comparison.LT);
        case GE, GT -> order(b, a, term.comparison == Comparison.GT);
        case EQ -> {
          if (near(a.minus(b), CIRCLE) || exact(a, b) || exact(b, a)) {
            prover.assumeAtMost(a, b);
            prover.assumeAtMost(b, a);
          }
        }
        case NE -> {
          if (prover.nonNegative(a.minus(b))) {
            prover.assumeBelow(b, a);
          } else if (prover.nonNegative(b.minus(a))) {
            prover.assumeBelow(a, b);
          }
        }
        case REACHED -> {
          if (near(a.minus(b), HALF) || (prover.bounded(a) && prover.bounded(b))) {
            prover.assumeAtMost(b, a);
          }
        }
      }
    } catch (ArithmeticException overflow) {
      return;
    }
  }

  /** A word that is at most a word below 2^63, in the unsigned order, is not negative either. */
  private void order(LinearExpression a, LinearExpression b, boolean strictly) {
    if (exact(a, b)) {
      prover.assumeAtMost(LinearExpression.ZERO, a);
      if (strictly) {
        prover.assumeBelow(a, b);
      } else {
        prover.assumeAtMost(a, b);
      }
    }
  }

  /** Whether a word that is at most {@code b} is bounded although its sum {@code a} is not. */
  boolean wraps(LinearExpression a, LinearExpression b) {
    return prover.bounded(b) && !exact(a, b);
  }

  /**
   * Whether a word that is at most {@code b} equals the sum {@code a} itself: {@code b} did not
   * wrap, and no other sum in the range of {@code a} is the same modulo 2^64.
   */
  private boolean exact(LinearExpression a, LinearExpression b) {
    if (!prover.bounded(b)) {
      return false;
    }
    BigInteger most = BigInteger.valueOf(prover.high(b));
    return (prover.least(a).compareTo(most.subtract(CIRCLE)) > 0
            && prover.most(a).compareTo(CIRCLE) < 0)
        || prover.bounded(a);
  }

  /** Whether the absolute value of the sum is certainly below {@code distance}. */
  private boolean near(LinearExpression sum, BigInteger distance) {
    return prover.most(sum).compareTo(distance) < 0
        && prover.least(sum).negate().compareTo(distance) < 0;
  }
}
