package dev.oriel.sim.weak;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.window.Epoch;
import java.util.function.Function;

/** An operand of one lane: what the binding determines is folded, the rest reads registers. */
sealed interface Term {

  long eval(long[] registers);

  /** A known word. */
  record Literal(long value) implements Term {
    @Override
    public long eval(long[] registers) {
      return value;
    }
  }

  /** A register. */
  record Register(int index) implements Term {
    @Override
    public long eval(long[] registers) {
      return registers[index];
    }
  }

  /** Two operands under an operator. */
  record Binary(Operator operator, Term left, Term right) implements Term {
    @Override
    public long eval(long[] registers) {
      try {
        return operator.apply(left.eval(registers), right.eval(registers));
      } catch (ArithmeticException e) {
        throw new ProgramException(
            "division by zero: operator=" + operator.spelling() + "; keep the divisor positive");
      }
    }
  }

  /** A packet flag. */
  record Flag(Term counter) implements Term {
    @Override
    public long eval(long[] registers) {
      return Epoch.nz32(counter.eval(registers));
    }
  }

  /** Compiles an operand; {@code names} gives what a name stands for. */
  static Term of(Expr expr, Function<String, Term> names) {
    Term term =
        switch (expr) {
          case Expr.Const(long value) -> new Literal(value);
          case Expr.Name(String name) -> names.apply(name);
          case Expr.NonZero32(Expr counter) -> new Flag(of(counter, names));
          case Expr.Binary(Operator operator, Expr left, Expr right) ->
              new Binary(operator, of(left, names), of(right, names));
        };
    return term.constant() ? new Literal(term.eval(NO_REGISTERS)) : term;
  }

  /** What constant operands are evaluated with. */
  long[] NO_REGISTERS = {};

  private boolean constant() {
    return switch (this) {
      case Literal l -> true;
      case Register r -> false;
      case Binary(var operator, Term left, Term right) -> left.constant() && right.constant();
      case Flag(Term counter) -> counter.constant();
    };
  }
}
