package dev.oriel.sim.code;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Epoch;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The operands of all lanes of a world. An operand is one number: a constant's index, a register,
 * or a node of an expression, distinguished by its two low bits.
 *
 * <pre>
 * node   operator | left operand | right operand; for a number kept from 0, -1 | operand | 0
 * </pre>
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class OperandTable {
  private static final int CONST = 0;
  private static final int REGISTER = 1;
  private static final int EXPRESSION = 2;
  private static final int TAG = 3;

  private static final Operator[] OPERATORS = Operator.values();
  private static final int NODE = 3;
  private static final int NZ32 = -1;
  private static final Comparison[] COMPARISONS = Comparison.values();

  private long[] constants = new long[64];
  private int constantCount;
  private int[] nodes = new int[64 * NODE];
  private int nodeCount;
  private final Map<Long, Integer> known = new HashMap<>();

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

  /** The register that the operand reads unchanged; -1 for any other operand. */
  public static int registerOf(int operand) {
    return (operand & TAG) == REGISTER ? operand >> 2 : -1;
  }

  /** Compiles an operand; {@code names} gives the operand of each name. */
  int compile(Expr expr, ToIntFunction<String> names) {
    int simple = simple(expr, names);
    if (simple >= 0) {
      return simple;
    }
    return switch (expr) {
      case Expr.NonZero32(Expr counter) -> node(NZ32, compile(counter, names), 0);
      case Expr.Binary(Operator operator, Expr left, Expr right) ->
          node(operator.ordinal(), compile(left, names), compile(right, names));
      case Expr.Const c -> throw new AssertionError(c);
      case Expr.Name n -> throw new AssertionError(n);
    };
  }

  private int node(int operator, int left, int right) {
    int at = nodeCount++ * NODE;
    if (at == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * at);
    }
    nodes[at] = operator;
    nodes[at + 1] = left;
    nodes[at + 2] = right;
    return at << 2 | EXPRESSION;
  }

  /** The operand of a constant or a register; -1 for anything else. */
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
        // A division by zero is kept: it matters only if it is executed.
        yield isConstant(a) && isConstant(b) && !(divides(operator) && constants[b >> 2] == 0)
            ? constant(operator.apply(constants[a >> 2], constants[b >> 2]))
            : -1;
      }
    };
  }

  /** Whether the operand is constant. */
  boolean isKnown(int operand) {
    return isConstant(operand);
  }

  /** Whether every operand of either equals the other's operand of the same number. */
  boolean same(OperandTable other) {
    return Arrays.equals(constants, 0, constantCount, other.constants, 0, other.constantCount)
        && Arrays.equals(nodes, 0, nodeCount * NODE, other.nodes, 0, other.nodeCount * NODE);
  }

  /** Whether both have the same value for lanes with equal registers. */
  public boolean same(int a, int b) {
    if (a == b || ((a | b) & TAG) == CONST) {
      return a == b || constants[a >> 2] == constants[b >> 2];
    }
    if ((a & TAG) != EXPRESSION || (b & TAG) != EXPRESSION) {
      return false;
    }
    int x = a >> 2;
    int y = b >> 2;
    return nodes[x] == nodes[y]
        && same(nodes[x + 1], nodes[y + 1])
        && (nodes[x] == NZ32 || same(nodes[x + 2], nodes[y + 2]));
  }

  /** Whether the operand's value depends on no registers but these. */
  public boolean hangsOnlyOn(BitSet these, int operand) {
    BitSet read = new BitSet();
    registers(operand, read);
    read.andNot(these);
    return read.isEmpty();
  }

  /** Adds the registers that the operand reads. */
  public void registers(int operand, BitSet into) {
    int at = operand >> 2;
    if ((operand & TAG) == REGISTER) {
      into.set(at);
    } else if ((operand & TAG) == EXPRESSION) {
      registers(nodes[at + 1], into);
      if (nodes[at] != NZ32) {
        registers(nodes[at + 2], into);
      }
    }
  }

  /** Adds the constants that the operand contains. */
  void constants(int operand, Collection<Long> into) {
    int at = operand >> 2;
    if (isConstant(operand)) {
      into.add(constants[at]);
    } else if (operand >= 0 && (operand & TAG) == EXPRESSION) {
      constants(nodes[at + 1], into);
      if (nodes[at] != NZ32) {
        constants(nodes[at + 2], into);
      }
    }
  }

  /** Adds the constants that any expression divides by, or takes a minimum or maximum with. */
  void divisors(Collection<Long> into) {
    for (int at = 0; at < nodeCount * NODE; at += NODE) {
      Operator operator = nodes[at] == NZ32 ? Operator.ADD : OPERATORS[nodes[at]];
      if (divides(operator) || operator == Operator.MIN || operator == Operator.MAX) {
        constants(nodes[at + 1], into);
        constants(nodes[at + 2], into);
      }
    }
  }

  /** How many divisions the value takes. */
  public int divisions(int operand) {
    int at = operand >> 2;
    if (operand < 0 || (operand & TAG) != EXPRESSION) {
      return 0;
    }
    int left = divisions(nodes[at + 1]);
    return nodes[at] == NZ32
        ? left
        : left + divisions(nodes[at + 2]) + (divides(OPERATORS[nodes[at]]) ? 1 : 0);
  }

  /** The value of a constant operand. */
  long constantOf(int operand) {
    return constants[operand >> 2];
  }

  /** The whole value of a constant operand; {@code otherwise} for any other. */
  public long always(int operand, long otherwise) {
    return isConstant(operand) ? constants[operand >> 2] : otherwise;
  }

  /** The value of a constant operand; {@code otherwise} for any other. */
  public int known(int operand, int otherwise) {
    return (int) always(operand, otherwise);
  }

  private static boolean divides(Operator operator) {
    return operator == Operator.DIV || operator == Operator.MOD || operator == Operator.CEIL;
  }

  private static boolean isConstant(int operand) {
    return operand >= 0 && (operand & TAG) == CONST;
  }

  /** What {@link #slope} returns where a value depends on its operands in another way. */
  public static final long NO_SLOPE = Long.MIN_VALUE;

  /** A value that grows faster may wrap within the launches of one run. */
  private static final long FASTEST = 1L << 31;

  /** The same for a flag, which has 32 bits. */
  public static final long FASTEST_FLAG = 1L << 16;

  /**
   * How much greater the operand is if each register is greater by its slope, whatever their values
   * are. {@link #NO_SLOPE} if that depends on the values, or if they may wrap soon; null if a
   * register's slope is unknown. A number that is kept from 0 counts as the number itself.
   */
  public @Nullable Long slope(int operand, IntFunction<@Nullable Long> registers) {
    int at = operand >> 2;
    return switch (operand & TAG) {
      case CONST -> Long.valueOf(0);
      case REGISTER -> bounded(registers.apply(at), FASTEST);
      default -> {
        Long left = slope(nodes[at + 1], registers);
        if (nodes[at] == NZ32) {
          yield bounded(left, FASTEST_FLAG);
        }
        Long right = slope(nodes[at + 2], registers);
        boolean none = isNone(left) || isNone(right);
        yield none
            ? Long.valueOf(NO_SLOPE)
            : left == null || right == null
                ? null
                : bounded(slope(OPERATORS[nodes[at]], left, right, at), FASTEST);
      }
    };
  }

  private static @Nullable Long bounded(@Nullable Long slope, long most) {
    return slope != null && Math.abs(slope) > most ? Long.valueOf(NO_SLOPE) : slope;
  }

  /** Whether the operand is a constant so large that its sum with a growing value wraps soon. */
  private boolean far(int operand) {
    return isConstant(operand) && Math.abs(constantOf(operand)) > FASTEST;
  }

  /** Registers that are compared or divided hold less than this: see {@link #wraps}. */
  public static final int SMALL_BITS = 40;

  /** What is left for growth below 2^63. */
  private static final long FARTHEST = 1L << 62;

  /**
   * Whether the operand, without growth, may be so far from 0 that it wraps when it grows: its
   * registers hold less than 2^{@link #SMALL_BITS}.
   */
  public boolean wraps(int operand) {
    return farthest(operand) > FARTHEST;
  }

  private long farthest(int operand) {
    int at = operand >> 2;
    if (isConstant(operand)) {
      return Math.abs(constantOf(operand));
    }
    if ((operand & TAG) == REGISTER) {
      return 1L << SMALL_BITS;
    }
    long left = farthest(nodes[at + 1]);
    if (nodes[at] == NZ32) {
      return left;
    }
    long right = farthest(nodes[at + 2]);
    return switch (OPERATORS[nodes[at]]) {
      case ADD, SUB, OR, XOR -> limited(left, right, 1);
      case MUL -> limited(0, left, right);
      case SHL ->
          isConstant(nodes[at + 2]) && right < SMALL_BITS
              ? limited(0, left, 1L << right)
              : FARTHEST + 1;
      case SHR, DIV, CEIL -> left;
      case AND, MOD, MIN, MAX -> Math.max(left, right);
    };
  }

  /** The sum of one number, and another so many times; at most one more than {@link #FARTHEST}. */
  private static long limited(long one, long other, long times) {
    boolean far = one > FARTHEST || (times != 0 && other > (FARTHEST - one) / times);
    return far ? FARTHEST + 1 : one + other * times;
  }

  /** Passes each operand that grows and is divided within this one. */
  public void divided(int operand, IntFunction<@Nullable Long> registers, IntConsumer into) {
    int at = operand >> 2;
    if ((operand & TAG) != EXPRESSION) {
      return;
    }
    divided(nodes[at + 1], registers, into);
    if (nodes[at] == NZ32) {
      return;
    }
    divided(nodes[at + 2], registers, into);
    if (divides(OPERATORS[nodes[at]])) {
      Long slope = slope(nodes[at + 1], registers);
      if (slope != null && slope != 0) {
        into.accept(nodes[at + 1]);
      }
    }
  }

  private static boolean isNone(@Nullable Long slope) {
    return slope != null && slope == NO_SLOPE;
  }

  private long slope(Operator operator, long left, long right, int at) {
    if (left == 0 && right == 0) {
      return 0;
    }
    int a = nodes[at + 1];
    int b = nodes[at + 2];
    if (operator == Operator.ADD || operator == Operator.SUB) {
      return far(a) || far(b) ? NO_SLOPE : operator.apply(left, right);
    }
    if (operator == Operator.MUL && (isConstant(a) || isConstant(b))) {
      return isConstant(a) ? constantOf(a) * right : left * constantOf(b);
    }
    if (right != 0 || !isConstant(b) || constantOf(b) <= 0) {
      return NO_SLOPE;
    }
    long by = constantOf(b);
    return switch (operator) {
      case DIV, CEIL -> left % by == 0 ? left / by : NO_SLOPE;
      case MOD -> left % by == 0 ? 0 : NO_SLOPE;
      case AND -> left % (2 * Long.highestOneBit(by)) == 0 ? 0 : NO_SLOPE;
      case SHL -> by < Byte.SIZE ? left << by : NO_SLOPE;
      default -> NO_SLOPE;
    };
  }

  /** Passes each operand that is kept from 0 within this one. */
  public void keptFromZero(int operand, IntConsumer into) {
    int at = operand >> 2;
    if ((operand & TAG) != EXPRESSION) {
      return;
    }
    keptFromZero(nodes[at + 1], into);
    if (nodes[at] == NZ32) {
      into.accept(nodes[at + 1]);
    } else {
      keptFromZero(nodes[at + 2], into);
    }
  }

  /** A sum of multiples of registers, and a constant. */
  public record Linear(Map<Integer, Long> terms, long constant) {
    /** This sum, and so many times another one. */
    public Linear plus(Linear other, long times) {
      return sum(this, other, times);
    }
  }

  /**
   * The operand as such a sum; null if it is none. A number that is kept from 0 counts as the
   * number itself.
   */
  public @Nullable Linear linear(int operand) {
    int at = operand >> 2;
    if (isConstant(operand)) {
      return new Linear(Map.of(), constantOf(operand));
    }
    if ((operand & TAG) == REGISTER) {
      return new Linear(Map.of(at, 1L), 0);
    }
    Linear left = linear(nodes[at + 1]);
    if (left == null || nodes[at] == NZ32) {
      return left;
    }
    Linear right = linear(nodes[at + 2]);
    return right == null
        ? null
        : switch (OPERATORS[nodes[at]]) {
          case ADD -> sum(left, right, 1);
          case SUB -> sum(left, right, -1);
          case MUL ->
              right.terms.isEmpty()
                  ? sum(new Linear(Map.of(), 0), left, right.constant)
                  : left.terms.isEmpty()
                      ? sum(new Linear(Map.of(), 0), right, left.constant)
                      : null;
          default -> null;
        };
  }

  private static Linear sum(Linear one, Linear other, long factor) {
    Map<Integer, Long> terms = new TreeMap<>(one.terms);
    other.terms.forEach((register, times) -> terms.merge(register, factor * times, Long::sum));
    terms.values().removeIf(times -> times == 0);
    return new Linear(terms, one.constant + factor * other.constant);
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

  /** Whether the comparison of the word with the value holds. */
  public static boolean compares(int comparison, long word, long value) {
    return COMPARISONS[comparison].test(word, value);
  }

  /** The text form of that comparison. */
  public static String spelling(int comparison) {
    return FormPrinter.print(COMPARISONS[comparison]);
  }

  private long expression(int at, long[] registers, int base) {
    long left = value(nodes[at + 1], registers, base);
    return nodes[at] == NZ32
        ? Epoch.nz32(left)
        : apply(OPERATORS[nodes[at]], left, value(nodes[at + 2], registers, base));
  }

  private static long apply(Operator operator, long left, long right) {
    // Most remainders in programs are those of neighbours on a ring, which need no division.
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
