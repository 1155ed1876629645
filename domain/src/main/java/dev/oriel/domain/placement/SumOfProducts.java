package dev.oriel.domain.placement;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.rewrite.ExprEdits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An operand as a sum of products of other operands. Two equal ones are the same word for all
 * values of their names, since sums, differences and products wrap alike.
 *
 * @param terms the multiplicity of each product, by its ordered factors; never 0
 */
record SumOfProducts(Map<List<Expr>, Long> terms) {
  /** A product with more terms than this is not expanded. */
  private static final int MOST = 64;

  private static final Comparator<Expr> ORDER = Comparator.comparing(Expr::toString);

  SumOfProducts {
    terms = Collections.unmodifiableMap(terms);
  }

  static SumOfProducts of(Expr expr) {
    return switch (expr) {
      case Expr.Const(long value) -> term(List.of(), value);
      case Expr.Binary(Operator operator, Expr left, Expr right) when operator == Operator.ADD ->
          of(left).plus(of(right), 1);
      case Expr.Binary(Operator operator, Expr left, Expr right) when operator == Operator.SUB ->
          of(left).plus(of(right), -1);
      case Expr.Binary(Operator operator, Expr left, Expr right) when operator == Operator.MUL ->
          of(left).times(of(right), expr);
      default -> term(List.of(expr), 1);
    };
  }

  SumOfProducts minus(SumOfProducts other) {
    return plus(other, -1);
  }

  /** Whether it is at least 0 if every factor is and nothing wraps. */
  boolean isPositive() {
    return terms.values().stream().allMatch(count -> count > 0);
  }

  /** Whether the name occurs only as a factor, and only in products that are added. */
  boolean growsWith(String name) {
    Expr factor = Expr.name(name);
    return terms.entrySet().stream()
        .allMatch(term ->
            term.getKey().stream()
                .allMatch(f ->
                    f.equals(factor)
                        ? term.getValue() > 0
                        : ExprEdits.substitute(f, name, Expr.of(0)).equals(f)));
  }

  private static SumOfProducts term(List<Expr> factors, long count) {
    return new SumOfProducts(count == 0 ? Map.of() : Map.of(factors, count));
  }

  private SumOfProducts plus(SumOfProducts other, long times) {
    Map<List<Expr>, Long> sum = empty();
    sum.putAll(terms);
    other.terms.forEach((factors, count) -> sum.merge(factors, times * count, Long::sum));
    sum.values().removeIf(count -> count == 0);
    return new SumOfProducts(sum);
  }

  private SumOfProducts times(SumOfProducts other, Expr whole) {
    if ((long) terms.size() * other.terms.size() > MOST) {
      return term(List.of(whole), 1);
    }
    SumOfProducts product = new SumOfProducts(empty());
    for (Map.Entry<List<Expr>, Long> a : terms.entrySet()) {
      for (Map.Entry<List<Expr>, Long> b : other.terms.entrySet()) {
        List<Expr> factors = new ArrayList<>(a.getKey());
        factors.addAll(b.getKey());
        factors.sort(ORDER);
        product = product.plus(term(factors, a.getValue() * b.getValue()), 1);
      }
    }
    return product;
  }

  private static Map<List<Expr>, Long> empty() {
    return new TreeMap<>(Comparator.comparing(List::toString));
  }
}
