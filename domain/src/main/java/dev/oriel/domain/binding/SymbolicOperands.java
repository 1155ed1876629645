package dev.oriel.domain.binding;

import dev.oriel.domain.binding.SymbolicValue.Choice;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The operands of a lane as sums of unknowns, at one point of the lane. */
final class SymbolicOperands {

  /** The most bits of a shift that multiplies or divides by a positive 64-bit number. */
  private static final int MAX_SHIFT = 61;

  /** The truth of a condition, as far as it is known. */
  enum Decision {
    ALWAYS,
    NEVER,
    OPEN
  }

  private final RankProgram rank;
  private final InequalityProver prover;
  private final Function<Expr, ProgramException> divisionByZero;
  private final Map<String, LinearExpression> running = new TreeMap<>();
  private final Map<String, Long> steps = new TreeMap<>();
  private final PathConditions assumptions;
  private final VariableQuotients quotients;

  /** An operation on two words; equal operations produce equal words. */
  private record Operation(Operator operator, LinearExpression a, LinearExpression b) {}

  /** The result of an operation, and the number of facts known when it was computed. */
  private record Word(LinearExpression value, int since) {}

  private final Map<Operation, Word> made = new HashMap<>();

  /** A value that has an unknown of its own, its sum, and the number of facts known before. */
  private record Named(String name, LinearExpression sum, int since) {}

  private final List<Named> named = new ArrayList<>();

  /** {@code divisionByZero} creates the error for a quotient whose divisor may be zero. */
  SymbolicOperands(
      RankProgram rank, InequalityProver prover, Function<Expr, ProgramException> divisionByZero) {
    this.rank = rank;
    this.prover = prover;
    this.divisionByZero = divisionByZero;
    assumptions = new PathConditions(prover);
    quotients = new VariableQuotients(prover);
  }

  void put(String name, LinearExpression value) {
    running.put(name, value);
  }

  void state(String name, long step) {
    steps.put(name, step);
    renew(name);
  }

  long step(String state) {
    return steps.getOrDefault(state, 1L);
  }

  /** The known values of state words. */
  Map<String, LinearExpression> states() {
    Map<String, LinearExpression> states = new TreeMap<>(running);
    states.keySet().retainAll(steps.keySet());
    return states;
  }

  /** Forgets the value of a state word that may have changed. */
  void renew(String state) {
    running.put(state, prover.anyWord(step(state)));
  }

  /** Forgets the value of each state word that one of these operations may change. */
  void renewAll(List<Op> body) {
    body.forEach(op -> {
      switch (op) {
        case Op.Assign a -> renew(a.state());
        case Op.If branch -> {
          renewAll(branch.then());
          renewAll(branch.otherwise());
        }
        case Op.For loop -> renewAll(loop.body());
        case Op.Each each -> renewAll(each.body());
        default -> {}
      }
    });
  }

  LinearExpression anyRank() {
    return prover.unknown(0, rank.program().world() - 1L, 1);
  }

  LinearExpression of(Expr expr) {
    try {
      return exact(expr);
    } catch (ArithmeticException overflow) {
      return prover.anyWord(1);
    }
  }

  private LinearExpression exact(Expr expr) {
    return switch (expr) {
      case Expr.Const(long value) -> LinearExpression.of(value);
      case Expr.Name(String name) -> {
        LinearExpression value = running.get(name);
        yield value != null ? value : LinearExpression.of(rank.known(name));
      }
      case Expr.NonZero32(Expr counter) -> {
        of(counter);
        yield prover.unknown(1, 0xFFFF_FFFFL, 1);
      }
      case Expr.Binary(Operator operator, Expr left, Expr right) -> {
        LinearExpression a = of(left);
        LinearExpression b = of(right);
        if (divides(operator) && !prover.nonZero(b)) {
          throw divisionByZero.apply(expr);
        }
        yield again(operator, a, b);
      }
    };
  }

  private static boolean divides(Operator operator) {
    return operator == Operator.DIV || operator == Operator.MOD || operator == Operator.CEIL;
  }

  /** The sum of two operands; an unknown word if the sum overflows. */
  LinearExpression sum(LinearExpression a, LinearExpression b) {
    try {
      return a.plus(b);
    } catch (ArithmeticException overflow) {
      return prover.anyWord(1);
    }
  }

  /** Whether the word is certainly a multiple of that power of two, even if it wraps. */
  boolean multiple(Expr expr, long powerOfTwo) {
    try {
      return of(expr).stride() % powerOfTwo == 0;
    } catch (ArithmeticException overflow) {
      return false;
    }
  }

  /** Whether the word is certainly no multiple of that power of two. */
  boolean noMultiple(Expr expr, long powerOfTwo) {
    try {
      LinearExpression sum = of(expr);
      return sum.constant() % powerOfTwo != 0
          && sum.minus(LinearExpression.of(sum.constant())).stride() % powerOfTwo == 0;
    } catch (ArithmeticException overflow) {
      return false;
    }
  }

  /**
   * The result of the operation. Equal operands give the same unknown, so facts about it are
   * shared.
   */
  private LinearExpression again(Operator operator, LinearExpression a, LinearExpression b) {
    if (operator == Operator.ADD
        || operator == Operator.SUB
        || (a.isConstant() && b.isConstant())) {
      return binary(operator, a, b);
    }
    Operation operation = new Operation(operator, a, b);
    Word word = made.get(operation);
    if (word == null) {
      int since = prover.facts();
      word = new Word(binary(operator, a, b), since);
      made.put(operation, word);
    }
    if (operator == Operator.MUL) {
      quotients.product(word.value(), a, b);
    }
    return word.value();
  }

  private LinearExpression binary(Operator operator, LinearExpression a, LinearExpression b) {
    if (a.isConstant() && b.isConstant()) {
      return LinearExpression.of(operator.apply(a.constant(), b.constant()));
    }
    return switch (operator) {
      case ADD -> a.plus(b);
      case SUB -> a.minus(b);
      case MUL ->
          b.isConstant()
              ? a.times(b.constant())
              : a.isConstant() ? b.times(a.constant()) : product(a, b);
      case MIN -> prover.choice(Choice.SMALLER, a, b);
      case MAX -> prover.choice(Choice.LARGER, a, b);
      case MOD -> modulo(a, b);
      case DIV, CEIL -> quotient(operator, a, b);
      case AND -> masked(a, b);
      case SHL -> shiftedLeft(a, b);
      case SHR -> shiftedRight(a, b);
      case OR, XOR -> combined(a, b);
    };
  }

  private LinearExpression product(LinearExpression a, LinearExpression b) {
    long high = Math.max(prover.high(a), prover.high(b));
    if (prover.low(a) < 0 || prover.low(b) < 0 || high == SymbolicValue.FAR) {
      return prover.anyWord(1);
    }
    return prover.unknown(
        Math.multiplyExact(prover.low(a), prover.low(b)),
        Math.multiplyExact(prover.high(a), prover.high(b)),
        Math.multiplyExact(a.stride(), b.stride()));
  }

  /** Floored, so never negative: the divisor is not zero, and a variable one is positive. */
  private LinearExpression modulo(LinearExpression a, LinearExpression b) {
    if (!b.isConstant()) {
      LinearExpression rest = prover.unknown(0, prover.high(b) - 1, 1);
      prover.assumeBelow(rest, b);
      return rest;
    }
    long divisor = b.constant();
    if (divisor < 0) {
      return prover.anyWord(1);
    }
    if (prover.low(a) >= 0 && prover.high(a) < divisor) {
      return a;
    }
    // After wrapping, only powers of two still divide the word.
    long kept = prover.finite(a) ? a.stride() : Long.lowestOneBit(a.stride());
    long stride = Math.max(1, LinearExpression.gcd(kept, divisor));
    return prover.unknown(0, divisor - stride, stride);
  }

  private LinearExpression quotient(Operator operator, LinearExpression a, LinearExpression b) {
    if (prover.low(a) < 0 || !prover.finite(a) || prover.low(b) < 0) {
      return prover.anyWord(1);
    }
    if (!b.isConstant()) {
      return quotients.quotient(operator, a, b);
    }
    long divisor = b.constant();
    LinearExpression part =
        prover.unknown(
            operator.apply(prover.low(a), divisor), operator.apply(prover.high(a), divisor), 1);
    LinearExpression whole = part.times(divisor);
    LinearExpression most = operator == Operator.DIV ? a : a.plus(divisor - 1);
    prover.assumeAtMost(whole, most);
    prover.assumeBelow(most, whole.plus(divisor));
    return part;
  }

  /** A shift by a negative number of bits, or by more than 63, gives 0: a multiple of anything. */
  private LinearExpression shiftedLeft(LinearExpression a, LinearExpression b) {
    if (b.isConstant() && b.constant() >= 0 && b.constant() <= MAX_SHIFT) {
      return a.times(1L << b.constant());
    }
    int least = leastShift(b, MAX_SHIFT);
    boolean exact =
        prover.finite(a)
            && prover.low(a) >= 0
            && prover.low(b) >= 0
            && prover.high(b) <= MAX_SHIFT
            && prover.high(a) <= Long.MAX_VALUE >> prover.high(b);
    return exact
        ? prover.unknown(
            prover.low(a) << least, prover.high(a) << prover.high(b), a.stride() << least)
        : prover.anyWord(a.wrappedStride() << least);
  }

  /** The bits by which every shift certainly moves, unless its result is 0. */
  private int leastShift(LinearExpression bits, int most) {
    return prover.finite(bits) ? Math.clamp(prover.low(bits), 0, most) : 0;
  }

  private LinearExpression shiftedRight(LinearExpression a, LinearExpression b) {
    boolean word = prover.finite(a) && prover.low(a) >= 0;
    if (word && b.isConstant() && b.constant() >= 0 && b.constant() <= MAX_SHIFT) {
      return quotient(Operator.DIV, a, LinearExpression.of(1L << b.constant()));
    }
    int least = leastShift(b, Long.SIZE - 1);
    if (!word) {
      return least == 0 ? prover.anyWord(1) : prover.unknown(0, -1L >>> least, 1);
    }
    boolean inside = prover.low(b) >= 0 && prover.high(b) < Long.SIZE;
    LinearExpression part =
        prover.unknown(inside ? prover.low(a) >> prover.high(b) : 0, prover.high(a) >> least, 1);
    prover.assumeAtMost(part, a);
    return part;
  }

  private LinearExpression masked(LinearExpression a, LinearExpression b) {
    if (!b.isConstant()) {
      return a.isConstant() ? masked(b, a) : prover.anyWord(1);
    }
    long mask = b.constant();
    long stride = Long.lowestOneBit(mask);
    boolean word = prover.finite(a) && prover.low(a) >= 0;
    if (mask < 0 && !word) {
      return prover.anyWord(stride);
    }
    LinearExpression part = prover.unknown(0, mask < 0 ? prover.high(a) : mask, stride);
    if (word) {
      prover.assumeAtMost(part, a);
    }
    return part;
  }

  private LinearExpression combined(LinearExpression a, LinearExpression b) {
    if (prover.low(a) < 0 || prover.low(b) < 0) {
      return prover.anyWord(1);
    }
    long high = Math.max(prover.high(a), prover.high(b));
    return high == SymbolicValue.FAR
        ? prover.anyWord(1)
        : prover.unknown(0, (Long.highestOneBit(Math.max(1, high)) << 1) - 1, 1);
  }

  /** The bytes of memory that the packets of {@code bytes} data bytes cover. */
  LinearExpression image(PacketFormat format, LinearExpression bytes) {
    try {
      long least = format.image(Math.max(0, prover.low(bytes)));
      return bytes.isConstant()
          ? LinearExpression.of(least)
          : prover.unknown(least, format.image(prover.high(bytes)), format.bytes());
    } catch (ArithmeticException overflow) {
      return prover.anyWord(1);
    }
  }

  Decision decide(Cond condition) {
    boolean always = true;
    for (Cond.Term term : condition.terms()) {
      LinearExpression a = of(term.left());
      LinearExpression b = of(term.right());
      if (!a.isConstant() || !b.isConstant()) {
        always = false;
      } else if (!term.comparison().test(a.constant(), b.constant())) {
        return Decision.NEVER;
      }
    }
    return always ? Decision.ALWAYS : Decision.OPEN;
  }

  /** Assumes that every comparison holds. */
  void assume(Cond condition) {
    for (Cond.Term term : condition.terms()) {
      switch (term.comparison()) {
        case LT, LE -> nameBelow(term.left(), term.right());
        case GT, GE -> nameBelow(term.right(), term.left());
        case EQ -> nameEqual(term);
        case NE, REACHED -> {}
      }
    }
    assumptions.assume(terms(condition));
  }

  private void nameEqual(Cond.Term term) {
    nameBelow(term.left(), term.right());
    nameBelow(term.right(), term.left());
  }

  /**
   * Gives a value that may wrap an unknown of its own once a comparison bounds it. Its sum has no
   * bounds even then, for the comparison bounds the word and not the sum.
   */
  private void nameBelow(Expr smaller, Expr larger) {
    if (smaller instanceof Expr.Name(String name)
        && running.containsKey(name)
        && !steps.containsKey(name)
        && assumptions.wraps(of(smaller), of(larger))) {
      LinearExpression sum = running.put(name, prover.anyWord(stride(of(smaller))));
      named.add(new Named(name, sum, prover.facts()));
    }
  }

  /** A power of two that divides the word. */
  private static long stride(LinearExpression sum) {
    try {
      return sum.wrappedStride();
    } catch (ArithmeticException overflow) {
      return 1;
    }
  }

  /** Assumes that the condition does not hold, as far as one set of facts can express it. */
  void assumeNot(Cond condition) {
    if (condition.terms().size() == 1) {
      Cond.Term term = condition.terms().getFirst();
      switch (term.comparison()) {
        case LT, LE -> nameBelow(term.right(), term.left());
        case GT, GE -> nameBelow(term.left(), term.right());
        case NE -> nameEqual(term);
        case EQ, REACHED -> {}
      }
    }
    assumptions.assumeNotAll(terms(condition));
  }

  private List<PathConditions.Term> terms(Cond condition) {
    return condition.terms().stream()
        .map(t -> new PathConditions.Term(of(t.left()), t.comparison(), of(t.right())))
        .toList();
  }

  /** The current end of the list of facts. */
  int mark() {
    return assumptions.mark();
  }

  /** Whether a fact since the mark is impossible, so that this point is unreachable. */
  boolean contradicted(int mark) {
    return assumptions.contradicted(mark);
  }

  /** Forgets the facts since the mark, and the words that were computed with them. */
  void forget(int mark) {
    while (!named.isEmpty() && named.getLast().since() > mark) {
      Named last = named.removeLast();
      running.put(last.name(), last.sum());
    }
    assumptions.forget(mark);
    made.values().removeIf(word -> word.since() > mark);
    quotients.forget(mark);
  }
}
