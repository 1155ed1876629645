package dev.oriel.domain.boundary;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.ProgramException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

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
    if (!isKnown(expr, zeros)) {
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

  private boolean isKnown(Expr expr, Set<String> zeros) {
    return switch (expr) {
      case Expr.Const _ -> true;
      case Expr.Name(String name) -> zeros.contains(name) || known.containsKey(name);
      case Expr.NonZero32(Expr counter) -> isKnown(counter, zeros);
      case Expr.Binary(Operator _, Expr left, Expr right) ->
          isKnown(left, zeros) && isKnown(right, zeros);
    };
  }
}
