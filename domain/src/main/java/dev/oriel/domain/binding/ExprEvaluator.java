package dev.oriel.domain.binding;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.window.Epoch;
import java.util.function.ToLongFunction;

/** The reference meaning of operands and conditions; every machine must agree with it. */
public final class ExprEvaluator {
  private ExprEvaluator() {}

  /**
   * The value of {@code expr}.
   *
   * @throws ProgramException on a division by zero
   */
  public static long value(Expr expr, ToLongFunction<String> names) {
    return switch (expr) {
      case Expr.Const(long value) -> value;
      case Expr.Name(String name) -> names.applyAsLong(name);
      case Expr.NonZero32(Expr counter) -> Epoch.nz32(value(counter, names));
      case Expr.Binary(Operator operator, Expr left, Expr right) -> {
        try {
          yield operator.apply(value(left, names), value(right, names));
        } catch (ArithmeticException e) {
          throw new ProgramException(
              Mistake.of(
                  expr,
                  "division by zero",
                  "operand=" + FormPrinter.print(expr),
                  "keep the divisor positive"));
        }
      }
    };
  }

  /** Whether every comparison of {@code condition} holds. */
  public static boolean holds(Cond condition, ToLongFunction<String> names) {
    for (Cond.Term term : condition.terms()) {
      if (!term.comparison().test(value(term.left(), names), value(term.right(), names))) {
        return false;
      }
    }
    return true;
  }
}
