package dev.oriel.cuda.chain;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Slot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of a lane's registers while its steps are walked, as expressions over names that keep
 * their value.
 */
final class RegisterValues {
  /**
   * Bounds the size of an expression: a shared subexpression is walked once for each of its
   * occurrences.
   */
  private static final int MAX_TERMS = 1000;

  private final Map<String, Expr> meanings = new HashMap<>();

  /**
   * Gives a register a new value.
   *
   * @throws ProgramException if the value is too long to be written into a kernel
   */
  void set(String register, Expr value) {
    Expr meaning = of(value);
    if (terms(meaning) > MAX_TERMS) {
      throw new ProgramException(
          "value follows from too many others: register=%s, maxTerms=%d; let it follow from fewer"
              .formatted(register, MAX_TERMS));
    }
    meanings.put(register, meaning);
  }

  /**
   * The number of terms in an expression, counting every occurrence. Each name in it has at most
   * {@link #MAX_TERMS}.
   */
  private static long terms(Expr expr) {
    return switch (expr) {
      case Expr.Const c -> 1;
      case Expr.Name name -> 1;
      case Expr.NonZero32(Expr counter) -> 1 + terms(counter);
      case Expr.Binary(Operator operator, Expr left, Expr right) -> 1 + terms(left) + terms(right);
    };
  }

  Expr of(Expr expr) {
    return switch (expr) {
      case Expr.Const c -> c;
      case Expr.Name(String name) -> meanings.getOrDefault(name, expr);
      case Expr.NonZero32(Expr counter) -> new Expr.NonZero32(of(counter));
      case Expr.Binary(Operator operator, Expr left, Expr right) ->
          folded(operator, of(left), of(right));
    };
  }

  /**
   * Folds constants: a loop counter stays a number, and a register that the loop adds to stays one
   * sum, for any number of turns.
   */
  private static Expr folded(Operator operator, Expr left, Expr right) {
    boolean divides =
        operator == Operator.DIV || operator == Operator.MOD || operator == Operator.CEIL;
    if (left instanceof Expr.Const(long a)
        && right instanceof Expr.Const(long b)
        && !(divides && b == 0)) {
      return Expr.of(operator.apply(a, b));
    }
    if (operator == Operator.ADD
        && right instanceof Expr.Const(long b)
        && left instanceof Expr.Binary(Operator inner, Expr rest, Expr.Const(long a))
        && inner == Operator.ADD) {
      return rest.plus(a + b);
    }
    return new Expr.Binary(operator, left, right);
  }

  Cond of(Cond condition) {
    List<Cond.Term> terms =
        condition.terms().stream()
            .map(term -> new Cond.Term(of(term.left()), term.comparison(), of(term.right())))
            .toList();
    return new Cond(terms);
  }

  Slot of(Slot slot) {
    return new Slot(slot.signal(), of(slot.index()), of(slot.at()));
  }

  Peers of(Peers peers) {
    return peers instanceof Peers.One(Expr rank) ? Peers.one(of(rank)) : peers;
  }
}
