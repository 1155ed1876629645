package dev.oriel.sim.code;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Epoch;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The operands of all lanes of a world. An operand is one number: a constant's index, a register,
 * or the start of an expression in postfix, told apart by its two low bits.
 *
 * <p>Evaluation is for one thread at a time: the stack is shared.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class Operands {
  private static final int CONST = 0;
  private static final int REGISTER = 1;
  private static final int EXPRESSION = 2;
  private static final int TAG = 3;

  /** In postfix code: operators are their ordinal, these stand behind them. */
  private static final int NZ32 = Operator.values().length;

  private static final int RETURN = NZ32 + 1;
  private static final int PUSH = NZ32 + 2;

  private static final Operator[] OPERATORS = Operator.values();
  private static final Comparison[] COMPARISONS = Comparison.values();

  private long[] constants = new long[64];
  private int constantCount;
  private int[] postfix = new int[256];
  private int postfixCount;
  private final Map<Long, Integer> known = new HashMap<>();
  private final long[] stack = new long[128];

  /** The operand that always has that value. */
  public int constant(long value) {
    return known.computeIfAbsent(
        value,
        v -> {
          if (constantCount == constants.length) {
            constants = Arrays.copyOf(constants, 2 * constantCount);
          }
          constants[constantCount] = v;
          return constantCount++ << 2 | CONST;
        });
  }

  /** The operand that reads that register of the executing lane. */
  static int register(int index) {
    return index << 2 | REGISTER;
  }

  /** Compiles an operand; {@code names} gives the operand that a name stands for. */
  int compile(Expr expr, ToIntFunction<String> names) {
    int simple = simple(expr, names);
    if (simple >= 0) {
      return simple;
    }
    int start = postfixCount;
    emitTree(expr, names);
    emit(RETURN);
    return start << 2 | EXPRESSION;
  }

  /** The operand of what needs no register, or of a register itself; -1 for anything else. */
  private int simple(Expr expr, ToIntFunction<String> names) {
    return switch (expr) {
      case Expr.Const(long value) -> constant(value);
      case Expr.Name(String name) -> names.applyAsInt(name);
      case Expr.NonZero32(Expr counter) -> {
        int operand = simple(counter, names);
        yield isConstant(operand) ? constant(Epoch.nz32(constants[operand >> 2])) : -1;
      }
      case Expr.Binary(Operator operator, Expr left, Expr right) -> {
        int a = simple(left, names);
        int b = simple(right, names);
        // A division by zero stays as it is: it matters only where it is executed.
        yield isConstant(a) && isConstant(b) && !(divides(operator) && constants[b >> 2] == 0)
            ? constant(operator.apply(constants[a >> 2], constants[b >> 2]))
            : -1;
      }
    };
  }

  /** Whether the operand is the same for ever. */
  boolean isKnown(int operand) {
    return isConstant(operand);
  }

  /** The value of an operand that is the same for ever; {@code otherwise} for any other. */
  public int known(int operand, int otherwise) {
    return isConstant(operand) ? (int) constants[operand >> 2] : otherwise;
  }

  private static boolean divides(Operator operator) {
    return operator == Operator.DIV || operator == Operator.MOD || operator == Operator.CEIL;
  }

  private static boolean isConstant(int operand) {
    return operand >= 0 && (operand & TAG) == CONST;
  }

  private void emitTree(Expr expr, ToIntFunction<String> names) {
    int simple = simple(expr, names);
    if (simple >= 0) {
      emit(PUSH);
      emit(simple);
      return;
    }
    switch (expr) {
      case Expr.NonZero32(Expr counter) -> {
        emitTree(counter, names);
        emit(NZ32);
      }
      case Expr.Binary(Operator operator, Expr left, Expr right) -> {
        emitTree(left, names);
        emitTree(right, names);
        emit(operator.ordinal());
      }
      case Expr.Const c -> throw new AssertionError(c);
      case Expr.Name n -> throw new AssertionError(n);
    }
  }

  private void emit(int word) {
    if (postfixCount == postfix.length) {
      postfix = Arrays.copyOf(postfix, 2 * postfixCount);
    }
    postfix[postfixCount++] = word;
  }

  /** The operand's value for a lane whose registers start at {@code base}. */
  public long value(int operand, long[] registers, int base) {
    int tag = operand & TAG;
    if (tag == CONST) {
      return constants[operand >> 2];
    }
    return tag == REGISTER
        ? registers[base + (operand >> 2)]
        : expression(operand >> 2, registers, base);
  }

  /** Whether the word compares true with the value. */
  public static boolean compares(int comparison, long word, long value) {
    return COMPARISONS[comparison].test(word, value);
  }

  private long expression(int start, long[] registers, int base) {
    int top = 0;
    int at = start;
    while (true) {
      int word = postfix[at++];
      if (word == PUSH) {
        int operand = postfix[at++];
        stack[top++] =
            (operand & TAG) == CONST ? constants[operand >> 2] : registers[base + (operand >> 2)];
      } else if (word == RETURN) {
        return stack[0];
      } else if (word == NZ32) {
        stack[top - 1] = Epoch.nz32(stack[top - 1]);
      } else {
        top--;
        stack[top - 1] = apply(OPERATORS[word], stack[top - 1], stack[top]);
      }
    }
  }

  private static long apply(Operator operator, long left, long right) {
    // Neighbours on a ring: by far the most remainders that programs ask for need no division.
    if (operator == Operator.MOD && left < right && left >= -right) {
      return left < 0 ? left + right : left;
    }
    try {
      return operator.apply(left, right);
    } catch (ArithmeticException e) {
      throw new ProgramException(
          "division by zero: operator=" + operator.spelling() + "; keep the divisor positive");
    }
  }
}
