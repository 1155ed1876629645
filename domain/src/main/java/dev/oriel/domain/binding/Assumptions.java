package dev.oriel.domain.binding;

import dev.oriel.domain.window.Comparison;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Comparisons of words that hold at one point of a lane, and what they say of the sums that the
 * words stand for.
 *
 * <p>A word is its sum modulo 2^64, and order is unsigned. So a comparison says something of the
 * sums only where these are known not to have wrapped. What is not known yet may follow from a
 * later comparison: {@code p >= 1} says nothing of a word that may be anything, and says that it is
 * not 0 once {@code p <= 2} holds as well. So a comparison that says nothing is kept, and asked
 * again when more is known of its unknowns.
 */
final class Assumptions {
  private static final BigInteger CIRCLE = BigInteger.ONE.shiftLeft(Long.SIZE);
  private static final BigInteger HALF = BigInteger.ONE.shiftLeft(Long.SIZE - 1);

  /** A comparison of two words that holds. */
  record Term(Linear a, Comparison comparison, Linear b) {
    Term not() {
      return switch (comparison) {
        case LT -> new Term(a, Comparison.GE, b);
        case LE -> new Term(a, Comparison.GT, b);
        case GT -> new Term(a, Comparison.LE, b);
        case GE -> new Term(a, Comparison.LT, b);
        case NE -> new Term(a, Comparison.EQ, b);
        case EQ -> new Term(a, Comparison.NE, b);
        case REACHED -> new Term(b.plus(-1), Comparison.REACHED, a);
      };
    }
  }

  /** A comparison that was taken as known, where among the facts, and where what it says begins. */
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

  private final Prover prover;
  private final List<Taken> taken = new ArrayList<>();

  Assumptions(Prover prover) {
    this.prover = prover;
  }

  /** Where what is known ends now. */
  int mark() {
    // A fact of its own, so that what is taken next is behind it in any case.
    prover.assume(Linear.ZERO);
    return prover.facts() - 1;
  }

  /** Forgets what was learnt since then. */
  void forget(int mark) {
    prover.forget(mark);
    taken.removeIf(t -> t.since > mark);
    taken.stream().filter(t -> t.says >= mark).forEach(t -> t.says = NOTHING);
  }

  /** Takes those as known until they are forgotten. */
  void assume(List<Term> terms) {
    int first = prover.facts();
    terms.forEach(t -> taken.add(new Taken(t, first)));
    settle(first);
  }

  /** Asks what was taken then, and all that says nothing yet of what facts since then speak of. */
  private void settle(int first) {
    boolean more = true;
    for (int asked = 0; more; asked++) {
      more = false;
      for (Taken t : taken) {
        boolean fresh = asked == 0 && t.since == first;
        if (t.says == NOTHING && (fresh || prover.toldSince(first, t.term.a, t.term.b))) {
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
   * Takes as known that one of those does not hold: what follows in each case that is possible. In
   * each of them, those before it hold.
   */
  void assumeNotAll(List<Term> terms) {
    if (terms.size() == 1) {
      assume(List.of(terms.getFirst().not()));
      return;
    }
    List<List<Linear>> cases = new ArrayList<>();
    for (int i = 0; i < terms.size(); i++) {
      List<Term> here = new ArrayList<>(terms.subList(0, i));
      here.add(terms.get(i).not());
      int mark = mark();
      assume(here);
      if (!contradicted(mark)) {
        cases.add(prover.since(mark));
      }
      forget(mark);
    }
    List<Linear> common = new ArrayList<>();
    for (List<Linear> one : cases) {
      for (Linear fact : one) {
        if (!fact.isConstant() && cases.stream().allMatch(other -> follows(fact, other))) {
          common.add(fact);
        }
      }
    }
    int first = prover.facts();
    common.forEach(prover::assume);
    settle(first);
  }

  private boolean follows(Linear fact, List<Linear> from) {
    int mark = mark();
    from.forEach(prover::assume);
    boolean follows = prover.nonNegative(fact);
    forget(mark);
    return follows;
  }

  /** Whether something that was learnt since then cannot be. */
  boolean contradicted(int mark) {
    return prover.since(mark).stream().anyMatch(this::impossible);
  }

  private boolean impossible(Linear fact) {
    try {
      return prover.nonNegative(fact.times(-1).plus(-1));
    } catch (ArithmeticException overflow) {
      return false;
    }
  }

  private void say(Term term) {
    Linear a = term.a;
    Linear b = term.b;
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

  /** What is at most a word below 2^63, in the unsigned order, is not negative either. */
  private void order(Linear a, Linear b, boolean strictly) {
    if (exact(a, b)) {
      prover.assumeAtMost(Linear.ZERO, a);
      if (strictly) {
        prover.assumeBelow(a, b);
      } else {
        prover.assumeAtMost(a, b);
      }
    }
  }

  /**
   * Whether a word that is at most {@code b} is the sum {@code a} itself: {@code b} is a word that
   * did not wrap, and no other sum in the range of {@code a} is the same modulo 2^64.
   */
  private boolean exact(Linear a, Linear b) {
    if (!prover.bounded(b)) {
      return false;
    }
    BigInteger most = BigInteger.valueOf(prover.high(b));
    return (prover.least(a).compareTo(most.subtract(CIRCLE)) > 0
            && prover.most(a).compareTo(CIRCLE) < 0)
        || prover.bounded(a);
  }

  /** Whether the sum certainly is nearer to 0 than that. */
  private boolean near(Linear sum, BigInteger distance) {
    return prover.most(sum).compareTo(distance) < 0
        && prover.least(sum).negate().compareTo(distance) < 0;
  }
}
