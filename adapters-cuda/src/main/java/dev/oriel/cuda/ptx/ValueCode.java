package dev.oriel.cuda.ptx;

import dev.oriel.domain.data.Arithmetic;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.hook.BinaryOp;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.HookExpr;
import dev.oriel.domain.hook.Relation;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Generates the value of a hook's output in registers, with {@link Arithmetic}'s results bit for
 * bit. Cases that PTX leaves open (division by zero, the choice of a NaN) are decided here.
 */
final class ValueCode {
  private final PtxBuilder ptx;
  private final ConvertCode convert;
  private final Function<ContextField, String> fields;

  /** {@code fields} names the 64-bit register of each field that a move passes to the hook. */
  ValueCode(PtxBuilder ptx, ConvertCode convert, Function<ContextField, String> fields) {
    this.ptx = ptx;
    this.convert = convert;
    this.fields = fields;
  }

  /**
   * One output of a hook.
   *
   * @param index names the register of its number
   * @param loaded names the register of a source's element
   * @param known values of parts of the expression, whose NaNs of FP32 may be any
   * @param divisors parts of the expression that are divisors, in prepared form
   */
  record Output(
      Supplier<String> index,
      IntFunction<String> loaded,
      Map<HookExpr, String> known,
      Map<HookExpr, Divisor> divisors) {
    static Output of(String index, List<String> loaded) {
      return new Output(() -> index, loaded::get, Map.of(), Map.of());
    }
  }

  /** The value for an output. */
  String of(HookExpr expr, Output output) {
    return of(expr, output, true);
  }

  /**
   * @param exact whether a NaN of FP32 must be the canonical one: conversions make that of any
   */
  String of(HookExpr expr, Output output, boolean exact) {
    String known = output.known.get(expr);
    if (known != null) {
      return exact ? convert.oneNan(DataType.FP32, known) : known;
    }
    List<String> operands =
        IntStream.range(0, expr.operands().size())
            .mapToObj(k -> of(expr.operands().get(k), output, exact && hands(expr, k)))
            .toList();
    return switch (expr) {
      case HookExpr.Const c -> constant(c);
      case HookExpr.In in -> output.loaded.apply(in.source());
      case HookExpr.Index _ -> output.index.get();
      case HookExpr.Field field -> fields.apply(field.field());
      case HookExpr.Unary unary -> unary(unary, operands.getFirst());
      case HookExpr.Binary binary -> {
        Divisor divisor = output.divisors.get(binary.right());
        yield binary.op() == BinaryOp.DIV && divisor != null
            ? quotient(operands.getFirst(), divisor, exact)
            : binary(binary.op(), binary.type(), operands.get(0), operands.get(1));
      }
      case HookExpr.Fma fma -> {
        String result = convert.register(fma.type());
        ptx.op("fma.rn.f%d %s, %s", bits(fma.type()), result, String.join(", ", operands));
        yield oneNan(fma.type(), result);
      }
      case HookExpr.Select select -> select(select, operands);
      case HookExpr.Cvt cvt ->
          convert.convert(cvt.value().type(), cvt.type(), operands.getFirst(), exact);
    };
  }

  /**
   * Whether a NaN of that operand can be the value as it is. This holds for arithmetic operators
   * too: the assembler simplifies the greater of x and x to x.
   */
  private static boolean hands(HookExpr expr, int operand) {
    return switch (expr) {
      case HookExpr.Select _ -> operand >= 2;
      case HookExpr.Cvt(DataType to, HookExpr from) -> to == from.type();
      default -> true;
    };
  }

  /** A divisor of FP32 that many are divided by: itself and its reciprocal, of FP64. */
  record Divisor(String value, String reciprocal) {}

  /** For {@code by}, a value of FP32. */
  Divisor divisor(String by) {
    Divisor divisor = new Divisor(ptx.word(), ptx.word());
    ptx.op("cvt.f64.f32 %s, %s", divisor.value, by);
    ptx.op("rcp.rn.f64 %s, %s", divisor.reciprocal, divisor.value);
    return divisor;
  }

  /**
   * A quotient of FP32 by way of FP64, without the branches that a division takes for large and
   * small numbers. One correction step rounds the FP64 quotient as a division would. Rounding it
   * once more gives FP32's own result, since 53 bits are more than twice 24 and two. If the
   * remainder is 0, or zeros and infinities make it a NaN, the product is right.
   */
  private String quotient(String left, Divisor by, boolean exact) {
    String wide = ptx.word();
    String product = ptx.word();
    String rest = ptx.word();
    String corrected = ptx.word();
    String unequal = ptx.predicate();
    String result = ptx.half();
    ptx.op("cvt.f64.f32 %s, %s", wide, left);
    ptx.op("mul.rn.f64 %s, %s, %s", product, wide, by.reciprocal);
    ptx.op("neg.f64 %s, %s", rest, product);
    ptx.op("fma.rn.f64 %s, %s, %s, %s", rest, rest, by.value, wide);
    ptx.op("fma.rn.f64 %s, %s, %s, %s", corrected, rest, by.reciprocal, product);
    ptx.op("setp.ne.f64 %s, %s, 0d0000000000000000", unequal, rest);
    ptx.op("selp.f64 %s, %s, %s, %s", corrected, corrected, product, unequal);
    ptx.op("cvt.rn.f32.f64 %s, %s", result, corrected);
    return exact ? convert.oneNan(DataType.FP32, result) : result;
  }

  private String constant(HookExpr.Const c) {
    String result = convert.register(c.type());
    if (bits(c.type()) == Long.SIZE) {
      ptx.op("mov.b64 %s, 0x%X", result, c.pattern());
    } else {
      ptx.op("mov.b32 %s, 0x%X", result, (int) c.pattern());
    }
    return result;
  }

  private String unary(HookExpr.Unary unary, String value) {
    DataType type = unary.type();
    String result = convert.register(type);
    int bits = bits(type);
    long sign = 1L << (bits - 1);
    switch (unary.op()) {
      case NOT -> ptx.op("not.b%d %s, %s", bits, result, value);
      case NEG -> {
        if (type.isInteger()) {
          ptx.op("neg.s%d %s, %s", bits, result, value);
        } else {
          ptx.op("xor.b%d %s, %s, 0x%X", bits, result, value, sign);
        }
      }
      case ABS -> {
        if (type.isInteger()) {
          ptx.op("abs.s%d %s, %s", bits, result, value);
        } else {
          ptx.op(
              "and.b%d %s, %s, 0x%X", bits, result, value, sign - 1 & -1L >>> (Long.SIZE - bits));
        }
      }
    }
    return type.isFloat() ? convert.oneNan(type, result) : result;
  }

  private String binary(BinaryOp op, DataType type, String left, String right) {
    String result = convert.register(type);
    int bits = bits(type);
    boolean real = type.isFloat();
    String kind = (real ? "f" : "s") + bits;
    switch (op) {
      case OR -> ptx.op("or.b%d %s, %s, %s", bits, result, left, right);
      case XOR -> ptx.op("xor.b%d %s, %s, %s", bits, result, left, right);
      case AND -> ptx.op("and.b%d %s, %s, %s", bits, result, left, right);
      case SHL -> ptx.op("shl.b%d %s, %s, %s", bits, result, left, amount(bits, right));
      case SHR -> ptx.op("shr.s%d %s, %s, %s", bits, result, left, amount(bits, right));
      case ADD -> ptx.op("add%s.%s %s, %s, %s", real ? ".rn" : "", kind, result, left, right);
      case SUB -> ptx.op("sub%s.%s %s, %s, %s", real ? ".rn" : "", kind, result, left, right);
      case MUL -> ptx.op("mul%s.%s %s, %s, %s", real ? ".rn" : ".lo", kind, result, left, right);
      case DIV -> {
        if (!real) {
          return quotient(type, left, right);
        }
        ptx.op("div.rn.%s %s, %s, %s", kind, result, left, right);
      }
      case REM -> {
        return rest(type, left, right);
      }
      case MIN -> ptx.op("min.%s %s, %s, %s", kind, result, left, right);
      case MAX -> ptx.op("max.%s %s, %s, %s", kind, result, left, right);
    }
    return oneNan(type, result);
  }

  /**
   * PTX uses 32 bits of a shift amount, and takes an amount of at least the width for the width.
   */
  private String amount(int bits, String amount) {
    if (bits == Integer.SIZE) {
      return amount;
    }
    String most = ptx.word();
    String low = ptx.half();
    ptx.op("min.u64 %s, %s, 64", most, amount);
    ptx.op("cvt.u32.u64 %s, %s", low, most);
    return low;
  }

  /** Division by 0 gives 0; division by -1 gives the negated dividend, which wraps. */
  private String quotient(DataType type, String left, String right) {
    Safe divisor = safe(type, right);
    String result = convert.register(type);
    int bits = bits(type);
    String negated = convert.register(type);
    ptx.op("div.s%d %s, %s, %s", bits, result, left, divisor.safe);
    ptx.op("neg.s%d %s, %s", bits, negated, left);
    ptx.op("selp.b%d %s, %s, %s, %s", bits, result, negated, result, divisor.minusOne);
    ptx.op("selp.b%d %s, 0, %s, %s", bits, result, result, divisor.zero);
    return result;
  }

  /** The remainder by 0 is the dividend; by -1 it is 0. */
  private String rest(DataType type, String left, String right) {
    Safe divisor = safe(type, right);
    String result = convert.register(type);
    int bits = bits(type);
    // The remainder by 1, which stands in for both divisors, is 0.
    ptx.op("rem.s%d %s, %s, %s", bits, result, left, divisor.safe);
    ptx.op("selp.b%d %s, %s, %s, %s", bits, result, left, result, divisor.zero);
    return result;
  }

  private record Safe(String safe, String zero, String minusOne) {}

  private Safe safe(DataType type, String right) {
    int bits = bits(type);
    Safe divisor = new Safe(convert.register(type), ptx.predicate(), ptx.predicate());
    String odd = ptx.predicate();
    ptx.op("setp.eq.s%d %s, %s, 0", bits, divisor.zero, right);
    ptx.op("setp.eq.s%d %s, %s, -1", bits, divisor.minusOne, right);
    ptx.op("or.pred %s, %s, %s", odd, divisor.zero, divisor.minusOne);
    ptx.op("selp.b%d %s, 1, %s, %s", bits, divisor.safe, right, odd);
    return divisor;
  }

  private String select(HookExpr.Select select, List<String> operands) {
    DataType compared = select.left().type();
    String holds = ptx.predicate();
    ptx.op(
        "setp.%s.%s%d %s, %s, %s",
        spelling(select.relation(), compared),
        compared.isFloat() ? "f" : "s",
        bits(compared),
        holds,
        operands.get(0),
        operands.get(1));
    String result = convert.register(select.type());
    ptx.op(
        "selp.b%d %s, %s, %s, %s",
        bits(select.type()), result, operands.get(2), operands.get(3), holds);
    return result;
  }

  private static String spelling(Relation relation, DataType type) {
    return switch (relation) {
      case LT -> "lt";
      case LE -> "le";
      case GT -> "gt";
      case GE -> "ge";
      case EQ -> "eq";
      // A NaN differs from every value.
      case NE -> type.isFloat() ? "neu" : "ne";
    };
  }

  /** A GPU passes on the bits of an FP64 operand that is a NaN; of FP32 it has a single NaN. */
  private String oneNan(DataType type, String result) {
    return type == DataType.FP64 ? convert.oneNan(type, result) : result;
  }

  private static int bits(DataType type) {
    return type.bytes() == Long.BYTES ? Long.SIZE : Integer.SIZE;
  }
}
