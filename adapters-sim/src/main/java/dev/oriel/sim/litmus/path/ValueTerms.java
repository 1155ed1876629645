package dev.oriel.sim.litmus.path;

import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.ValueComparison;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The values that one thread computes, as terms over the values of its reads. Equal terms have
 * equal numbers, and a term's number is above those of its parts. So one pass in ascending order
 * evaluates all, and comparing numbers compares registers.
 */
public final class ValueTerms {
  private enum Kind {
    CONSTANT,
    READ,
    APPLY,
    CHOOSE
  }

  /** {@code parts} of CHOOSE: if the first two are equal the third, else the fourth. */
  private record Term(Kind kind, long constant, ArithmeticOp op, List<Integer> parts) {}

  private final List<Term> terms = new ArrayList<>();
  private final List<Long> reads = new ArrayList<>();
  private final Map<Term, Integer> numbers = new HashMap<>();

  int constant(long value) {
    return number(new Term(Kind.CONSTANT, value, ArithmeticOp.ADD, List.of()));
  }

  /** The value of the thread's read of that ordinal. */
  int read(int ordinal) {
    return number(new Term(Kind.READ, ordinal, ArithmeticOp.ADD, List.of()));
  }

  int apply(ArithmeticOp op, int a, int b) {
    OptionalLong x = constantOf(a);
    OptionalLong y = constantOf(b);
    return x.isPresent() && y.isPresent()
        ? constant(op.apply(x.getAsLong(), y.getAsLong()))
        : number(new Term(Kind.APPLY, 0, op, List.of(a, b)));
  }

  int choose(int a, int b, int equal, int otherwise) {
    return number(new Term(Kind.CHOOSE, 0, ArithmeticOp.ADD, List.of(a, b, equal, otherwise)));
  }

  /** The compared terms of a choice, then its results for equal and for different; else empty. */
  List<Integer> choice(int number) {
    Term term = terms.get(number);
    return term.kind() == Kind.CHOOSE ? term.parts() : List.of();
  }

  /**
   * Whether a constraint implies that two terms differ, directly or through a comparison's result.
   */
  boolean differ(ThreadPath.Constraint constraint, int a, int b) {
    boolean equal =
        constraint.comparison() == (constraint.holds() ? ValueComparison.EQ : ValueComparison.NE);
    boolean unequal =
        constraint.comparison() == (constraint.holds() ? ValueComparison.NE : ValueComparison.EQ);
    if (unequal && same(constraint.a(), constraint.b(), a, b)) {
      return true;
    }
    Term left = terms.get(constraint.a());
    return (equal || unequal)
        && left.kind() == Kind.APPLY
        && left.op() == (equal ? ArithmeticOp.EQ : ArithmeticOp.NE)
        && constantOf(constraint.b()).equals(OptionalLong.of(0))
        && same(left.parts().get(0), left.parts().get(1), a, b);
  }

  private static boolean same(int x, int y, int a, int b) {
    return (x == a && y == b) || (x == b && y == a);
  }

  OptionalLong constantOf(int number) {
    Term term = terms.get(number);
    return term.kind() == Kind.CONSTANT ? OptionalLong.of(term.constant()) : OptionalLong.empty();
  }

  /** The ordinals of the reads on which the term depends. */
  public long reads(int number) {
    return reads.get(number);
  }

  private int number(Term term) {
    Integer known = numbers.get(term);
    if (known != null) {
      return known;
    }
    long mask = term.kind() == Kind.READ ? 1L << term.constant() : 0;
    for (int part : term.parts()) {
      mask |= reads.get(part);
    }
    terms.add(term);
    reads.add(mask);
    numbers.put(term, terms.size() - 1);
    return terms.size() - 1;
  }

  /** The given terms and all their parts, in ascending order. */
  List<Integer> closure(List<Integer> roots) {
    BitSet needed = new BitSet();
    roots.forEach(needed::set);
    for (int i = terms.size() - 1; i >= 0; i--) {
      if (needed.get(i)) {
        terms.get(i).parts().forEach(needed::set);
      }
    }
    return needed.stream().boxed().toList();
  }

  public int size() {
    return terms.size();
  }

  /** Evaluates a term whose reads are all known and whose parts are evaluated in {@code values}. */
  public long evaluate(int number, long[] values, long[] readValues) {
    Term term = terms.get(number);
    List<Integer> parts = term.parts();
    return switch (term.kind()) {
      case CONSTANT -> term.constant();
      case READ -> readValues[(int) term.constant()];
      case APPLY -> term.op().apply(values[parts.get(0)], values[parts.get(1)]);
      case CHOOSE -> values[parts.get(values[parts.get(0)] == values[parts.get(1)] ? 2 : 3)];
    };
  }
}
