package dev.oriel.domain.boundary;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** What a form's names are worth at one rank with some parameter values. */
final class BoundNames {
  private final Map<String, Long> known = new TreeMap<>();

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
    try {
      return OptionalLong.of(
          ExprEvaluator.value(
              expr,
              name -> {
                Long value = zeros.contains(name) ? Long.valueOf(0) : known.get(name);
                if (value == null) {
                  throw new ProgramException("name not known: name=" + name + "; run the lane");
                }
                return value;
              }));
    } catch (ProgramException unknown) {
      return OptionalLong.empty();
    }
  }
}
