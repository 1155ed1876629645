package dev.oriel.cuda.chain;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Slot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a lane's registers stand for as it goes on, in names that outlast it. */
final class Operands {
  private final Map<String, Expr> meanings = new HashMap<>();

  void set(String register, Expr value) {
    meanings.put(register, of(value));
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

  /** Counters of loops stay numbers, however often they turn. */
  private static Expr folded(Operator operator, Expr left, Expr right) {
    boolean divides =
        operator == Operator.DIV || operator == Operator.MOD || operator == Operator.CEIL;
    return left instanceof Expr.Const(long a)
            && right instanceof Expr.Const(long b)
            && !(divides && b == 0)
        ? Expr.of(operator.apply(a, b))
        : new Expr.Binary(operator, left, right);
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
