package dev.oriel.domain.boundary;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.ProgramException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/** What a form's names are worth at one rank with some parameter values. */
final class BoundNames {
  private final Map<String, Long> known = new HashMap<>();

  BoundNames(Form form, int world, int rank, Map<String, Long> params) {
    known.put("n", (long) world);
    known.put("r", (long) rank);
    known.putAll(params);
    for (Form.Definition definition : form.definitions()) {
      value(definition.value(), Set.of()).ifPresent(v -> known.put(definition.name(), v));
    }
  }

  /** Empty where only a running lane knows it, or where it divides by zero. */
  OptionalLong value(Expr expr, Set<String> zeros) {
    if (!isKnown(expr, name -> zeros.contains(name) || known.containsKey(name))) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(
          ExprEvaluator.value(
              expr, name -> zeros.contains(name) ? 0L : known.getOrDefault(name, 0L)));
    } catch (ProgramException _) {
      return OptionalLong.empty();
    }
  }

  /** The sign of the left value less the right one; empty where either is. */
  OptionalInt compared(Expr left, Expr right, Set<String> zeros) {
    OptionalLong one = value(left, zeros);
    OptionalLong other = value(right, zeros);
    return one.isPresent() && other.isPresent()
        ? OptionalInt.of(Long.compareUnsigned(one.getAsLong(), other.getAsLong()))
        : OptionalInt.empty();
  }

  /** Whether every name of the expression is known. */
  static boolean isKnown(Expr expr, Predicate<String> known) {
    return switch (expr) {
      case Expr.Const _ -> true;
      case Expr.Name(String name) -> known.test(name);
      case Expr.NonZero32(Expr counter) -> isKnown(counter, known);
      case Expr.Binary(Operator _, Expr left, Expr right) ->
          isKnown(left, known) && isKnown(right, known);
    };
  }
}
