package dev.oriel.domain.rewrite;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Changes operands. */
public final class ExprEdits {
  private ExprEdits() {}

  /** The operand with every use of {@code name} replaced. */
  public static Expr substitute(Expr expr, String name, Expr by) {
    return switch (expr) {
      case Expr.Const c -> c;
      case Expr.Name n -> n.name().equals(name) ? by : n;
      case Expr.NonZero32(Expr counter) -> new Expr.NonZero32(substitute(counter, name, by));
      case Expr.Binary(Operator operator, Expr left, Expr right) ->
          new Expr.Binary(operator, substitute(left, name, by), substitute(right, name, by));
    };
  }

  /** The operand with the results of operators on literals; a division by zero stays. */
  public static Expr folded(Expr expr) {
    return switch (expr) {
      case Expr.Const c -> c;
      case Expr.Name n -> n;
      case Expr.NonZero32(Expr counter) -> new Expr.NonZero32(folded(counter));
      case Expr.Binary(Operator operator, Expr left, Expr right) -> {
        Expr a = folded(left);
        Expr b = folded(right);
        boolean known =
            a instanceof Expr.Const && b instanceof Expr.Const && !dividesByZero(operator, b);
        yield known
            ? Expr.of(operator.apply(((Expr.Const) a).value(), ((Expr.Const) b).value()))
            : new Expr.Binary(operator, a, b);
      }
    };
  }

  private static boolean dividesByZero(Operator operator, Expr divisor) {
    return switch (operator) {
      case DIV, MOD, CEIL -> divisor.equals(Expr.of(0));
      default -> false;
    };
  }

  /** Every operand that differs in one subexpression, the whole included, by one alternative. */
  public static List<Expr> variants(Expr expr, Function<Expr, List<Expr>> alternatives) {
    List<Expr> variants = new ArrayList<>(alternatives.apply(expr));
    switch (expr) {
      case Expr.Const c -> {}
      case Expr.Name n -> {}
      case Expr.NonZero32(Expr counter) ->
          variants(counter, alternatives).forEach(c -> variants.add(new Expr.NonZero32(c)));
      case Expr.Binary(Operator operator, Expr left, Expr right) -> {
        variants(left, alternatives)
            .forEach(l -> variants.add(new Expr.Binary(operator, l, right)));
        variants(right, alternatives)
            .forEach(r -> variants.add(new Expr.Binary(operator, left, r)));
      }
    }
    return variants;
  }

  /** Whether the operand uses that name. */
  public static boolean uses(Expr expr, String name) {
    return sum(expr, e -> e instanceof Expr.Name(String n) && n.equals(name) ? 1 : 0) > 0;
  }

  /** The literals of the operand, in ascending order. */
  public static SortedSet<Long> constants(Expr expr) {
    SortedSet<Long> constants = new TreeSet<>();
    constants(expr, constants);
    return constants;
  }

  private static void constants(Expr expr, SortedSet<Long> into) {
    switch (expr) {
      case Expr.Const(long value) -> into.add(value);
      case Expr.Name n -> {}
      case Expr.NonZero32(Expr counter) -> constants(counter, into);
      case Expr.Binary(var operator, Expr left, Expr right) -> {
        constants(left, into);
        constants(right, into);
      }
    }
  }

  /** The sum of a non-negative weight over all subexpressions, at most {@link Long#MAX_VALUE}. */
  public static long sum(Expr expr, ToLongFunction<Expr> weight) {
    long own = weight.applyAsLong(expr);
    return switch (expr) {
      case Expr.Const c -> own;
      case Expr.Name n -> own;
      case Expr.NonZero32(Expr counter) -> capped(own, sum(counter, weight));
      case Expr.Binary(var operator, Expr left, Expr right) ->
          capped(own, capped(sum(left, weight), sum(right, weight)));
    };
  }

  /** The operand plus a literal, kept as short as a person would write it. */
  public static Expr plus(Expr expr, long more) {
    return switch (expr) {
      case Expr.Const(long value) -> Expr.of(value + more);
      case Expr.Binary(Operator operator, Expr left, Expr.Const(long value))
          when operator == Operator.ADD && value + more == 0 ->
          left;
      default -> more < 0 ? expr.minus(-more) : expr.plus(more);
    };
  }

  /** The sum of two non-negative numbers, at most {@link Long#MAX_VALUE}. */
  public static long capped(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
