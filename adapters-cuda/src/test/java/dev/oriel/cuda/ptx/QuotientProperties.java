package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.data.Conversion;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.hook.BinaryOp;
import dev.oriel.domain.hook.HookExpr;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * The instructions that {@link ValueCode} generates for a quotient of FP32 by way of FP64 give its
 * bits.
 */
class QuotientProperties {
  private static final PtxBuilder PTX = new PtxBuilder();
  private static final String LEFT = PTX.half();
  private static final String RIGHT = PTX.half();
  private static final String RESULT = print();

  /** Each instruction: its operation, its result and its operands. */
  private static final List<String[]> LINES =
      PTX.body().lines().map(line -> line.strip().split("[ ,;]+", -1)).toList();

  private static String print() {
    ValueCode code =
        new ValueCode(
            PTX,
            new ConvertCode(PTX),
            field -> {
              throw new AssertionError(field);
            });
    HookExpr left = new HookExpr.In(DataType.FP32, 0);
    HookExpr right = new HookExpr.In(DataType.FP32, 1);
    ValueCode.Output output =
        new ValueCode.Output(
            () -> "", List.of(LEFT, RIGHT)::get, Map.of(), Map.of(right, code.divisor(RIGHT)));
    return code.of(new HookExpr.Binary(DataType.FP32, BinaryOp.DIV, left, right), output);
  }

  /** Registers and constants as their bits. */
  private static long bits(Map<String, Long> registers, String operand) {
    return operand.startsWith("%")
        ? Objects.requireNonNull(registers.get(operand))
        : Long.parseUnsignedLong(operand.substring(2), 16);
  }

  private static int run(int left, int right) {
    Map<String, Long> registers = new HashMap<>();
    registers.put(LEFT, (long) left);
    registers.put(RIGHT, (long) right);
    for (String[] line : LINES) {
      long[] in = new long[3];
      double[] d = new double[3];
      for (int i = 0; i < 3 && i + 2 < line.length && !line[i + 2].isEmpty(); i++) {
        in[i] = bits(registers, line[i + 2]);
        d[i] = Double.longBitsToDouble(in[i]);
      }
      float single = Float.intBitsToFloat((int) in[0]);
      registers.put(
          line[1],
          switch (line[0]) {
            case "cvt.f64.f32" -> Double.doubleToLongBits(single);
            case "cvt.rn.f32.f64" -> (long) Float.floatToIntBits((float) d[0]);
            case "rcp.rn.f64" -> Double.doubleToLongBits(1.0 / d[0]);
            case "mul.rn.f64" -> Double.doubleToLongBits(d[0] * d[1]);
            case "neg.f64" -> Double.doubleToLongBits(-d[0]);
            case "fma.rn.f64" -> Double.doubleToLongBits(Math.fma(d[0], d[1], d[2]));
            // A NaN is unordered, and thus not different.
            case "setp.ne.f64" -> d[0] < d[1] || d[0] > d[1] ? 1L : 0L;
            case "setp.nan.f32" -> Float.isNaN(single) ? 1L : 0L;
            case "selp.f64", "selp.b32" -> in[2] != 0 ? in[0] : in[1];
            default -> throw new AssertionError("no such step: " + line[0]);
          });
    }
    return (int) bits(registers, RESULT);
  }

  private static void same(int left, int right) {
    float quotient = Float.intBitsToFloat(left) / Float.intBitsToFloat(right);
    int expected =
        Float.isNaN(quotient)
            ? (int) Conversion.canonicalNan(DataType.FP32)
            : Float.floatToIntBits(quotient);
    assertThat(run(left, right)).as("%08x / %08x", left, right).isEqualTo(expected);
  }

  @Property(tries = 20_000)
  void ofAllPatterns(@ForAll int left, @ForAll int right) {
    same(left, right);
  }

  /** Quotients halfway between two denormal numbers: there the last bit of FP64 decides. */
  @Property(tries = 20_000)
  void ofTies(
      @ForAll @IntRange(max = (1 << 11) - 1) int below,
      @ForAll @IntRange(min = 1, max = (1 << 12) - 1) int factor,
      @ForAll @IntRange(min = 30, max = 100) int exponent,
      @ForAll boolean negative) {
    double tie = Math.scalb(2.0 * below + 1, Float.MIN_EXPONENT - Float.PRECISION);
    float right = Math.scalb((float) factor, exponent);
    float left = (float) (negative ? -tie * right : tie * right);
    same(Float.floatToIntBits(left), Float.floatToIntBits(right));
  }
}
