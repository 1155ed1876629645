package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Operator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The lines that {@link ExprCode} prints for quotients and rests make what the domain says. */
class DivisionProperties {
  /** Where a number of 32 bits ends, and around a sign. */
  private static final List<Long> EDGES =
      List.of(
          0L,
          1L,
          2L,
          3L,
          7L,
          8L,
          0x7FFF_FFFFL,
          0x8000_0000L,
          0xFFFF_FFFEL,
          0xFFFF_FFFFL,
          0x1_0000_0000L,
          0x1_0000_0001L,
          5L << 30,
          1L << 46,
          -1L,
          -2L,
          -3L,
          -8L,
          -0x8000_0000L,
          -0xFFFF_FFFFL,
          -0x1_0000_0000L,
          -(1L << 46));

  private static final List<Operator> OPERATORS =
      List.of(Operator.DIV, Operator.MOD, Operator.CEIL);

  @Property(tries = 2000)
  void anyOperands(@ForAll long a, @ForAll long b) {
    Assume.that(b != 0 && a != Long.MIN_VALUE);
    OPERATORS.forEach(operator -> same(operator, a, b));
  }

  @Property(tries = 2000)
  void smallOperands(
      @ForAll @LongRange(max = 0xFFFF_FFFFL) long a,
      @ForAll @LongRange(min = 1, max = 1000) long b) {
    OPERATORS.forEach(operator -> same(operator, a, b));
  }

  @Test
  void edges() {
    for (Operator operator : OPERATORS) {
      EDGES.forEach(a -> EDGES.stream().filter(b -> b != 0).forEach(b -> same(operator, a, b)));
    }
  }

  @Test
  void powersOfTwo() {
    for (Operator operator : OPERATORS) {
      for (long divisor : LongStream.of(1, 2, 64, 1L << 33).toArray()) {
        for (long a : EDGES) {
          same(operator, a, divisor, Expr.of(divisor));
        }
      }
    }
  }

  /** A longer division takes a multiple of the time; a rank before the first is -1. */
  @Test
  void smallNumbersAreNotDividedAsLongOnes() {
    Run run = new Run(new Expr.Binary(Operator.MOD, Expr.name("a"), Expr.name("b")), -1, 7);
    assertThat(run.executed).contains("div.s32").doesNotContain("div.s64", "rem.s64");
  }

  private static void same(Operator operator, long a, long b) {
    same(operator, a, b, Expr.name("b"));
  }

  private static void same(Operator operator, long a, long b, Expr divisor) {
    Run run = new Run(new Expr.Binary(operator, Expr.name("a"), divisor), a, b);
    assertThat(run.result).as("%s of %d and %d", operator, a, b).isEqualTo(operator.apply(a, b));
  }

  /** The lines of an expression, executed. */
  private static final class Run {
    private final Map<String, Long> registers = new HashMap<>();
    private final StringBuilder executed = new StringBuilder();
    private final long result;

    Run(Expr expr, long a, long b) {
      Ptx ptx = new Ptx();
      ExprCode code = new ExprCode(ptx);
      registers.put(code.register("a"), a);
      registers.put(code.register("b"), b);
      String to = code.of(expr);
      List<String> lines = ptx.body().lines().map(String::strip).toList();
      int at = 0;
      while (at < lines.size()) {
        String[] words = lines.get(at++).split("[ ,;]+", -1);
        if (words[0].endsWith(":")) {
          continue;
        }
        if (words[0].startsWith("@")) {
          if (value(words[0].substring(1)) == 0) {
            continue;
          }
          words = List.of(words).subList(1, words.length).toArray(String[]::new);
        }
        executed.append(words[0]).append('\n');
        if (words[0].equals("bra")) {
          at = lines.indexOf(words[1] + ":");
        } else {
          registers.put(words[1], made(words));
        }
      }
      result = value(to);
    }

    private long made(String[] words) {
      long a = value(words[2]);
      long b = words.length > 3 && !words[3].isEmpty() ? value(words[3]) : 0;
      return switch (words[0]) {
        case "mov.b64" -> a;
        case "cvt.u32.u64" -> a & 0xFFFF_FFFFL;
        case "cvt.s64.s32" -> (int) a;
        case "neg.s64" -> -a;
        case "and.b64" -> a & b;
        case "xor.b64" -> a ^ b;
        case "shr.s64" -> a >> b;
        case "add.s64" -> a + b;
        case "sub.s64" -> a - b;
        case "mul.lo.s64" -> a * b;
        case "div.s64" -> a / b;
        case "add.s32" -> (int) a + (int) b & 0xFFFF_FFFFL;
        case "sub.s32" -> (int) a - (int) b & 0xFFFF_FFFFL;
        case "mul.lo.s32" -> (int) a * (int) b & 0xFFFF_FFFFL;
        case "div.s32" -> (int) a / (int) b & 0xFFFF_FFFFL;
        case "setp.ne.s64" -> a != b ? 1 : 0;
        case "setp.lt.s32" -> (int) a < (int) b ? 1 : 0;
        case "setp.gt.s32" -> (int) a > (int) b ? 1 : 0;
        case "setp.gt.or.u64" -> Long.compareUnsigned(a, b) > 0 || value(words[4]) != 0 ? 1 : 0;
        case "setp.lt.and.s64" -> a < b && value(words[4]) != 0 ? 1 : 0;
        default -> throw new AssertionError("unknown instruction: " + words[0]);
      };
    }

    private long value(String operand) {
      return operand.startsWith("%")
          ? Objects.requireNonNull(registers.get(operand), operand)
          : Long.parseLong(operand);
    }
  }
}
