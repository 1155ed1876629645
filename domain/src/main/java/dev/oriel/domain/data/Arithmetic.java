package dev.oriel.domain.data;

/**
 * Computes on patterns of one type, with the results that a GPU gives bit for bit.
 *
 * <p>Defined on all integer types, FP32 and FP64. Integers wrap. Each floating-point operation
 * rounds once to nearest even and keeps subnormals ({@code .rn} without {@code .ftz}). Narrower
 * floating-point types are refused, since they are converted first. Nothing is contracted: only
 * {@link #fma} fuses. A NaN result is the canonical one.
 *
 * <p>{@link #min} and {@link #max} follow PTX {@code min.f32} and {@code max.f32} without {@code
 * .NaN}. Of a number and a NaN the number is the result, and of two NaNs the canonical NaN. -0 is
 * less than +0.
 *
 * <p>Integer division truncates toward zero. PTX leaves division by zero open; here {@code x / 0}
 * is 0 and {@code x % 0} is x, so that {@code a = a / b * b + a % b} always holds.
 */
public final class Arithmetic {

  private Arithmetic() {}

  /** Left plus right. */
  public static long add(DataType type, long left, long right) {
    return switch (kind(type)) {
      case FP32 -> fp32(fp32(left) + fp32(right));
      case FP64 -> fp64(fp64(left) + fp64(right));
      default -> type.wrap(left + right);
    };
  }

  /** Left minus right. */
  public static long subtract(DataType type, long left, long right) {
    return switch (kind(type)) {
      case FP32 -> fp32(fp32(left) - fp32(right));
      case FP64 -> fp64(fp64(left) - fp64(right));
      default -> type.wrap(left - right);
    };
  }

  /** Left times right. */
  public static long multiply(DataType type, long left, long right) {
    return switch (kind(type)) {
      case FP32 -> fp32(fp32(left) * fp32(right));
      case FP64 -> fp64(fp64(left) * fp64(right));
      default -> type.wrap(left * right);
    };
  }

  /** Left divided by right. */
  public static long divide(DataType type, long left, long right) {
    return switch (kind(type)) {
      case FP32 -> fp32(fp32(left) / fp32(right));
      case FP64 -> fp64(fp64(left) / fp64(right));
      default -> right == 0 ? 0 : type.wrap(left / right);
    };
  }

  /** The remainder of an integer division, with the sign of the dividend. */
  public static long remainder(DataType type, long left, long right) {
    if (!type.isInteger()) {
      throw new IllegalArgumentException(
          "no remainder of this type: type=" + type + "; use an integer type");
    }
    return right == 0 ? left : left % right;
  }

  /** The lesser operand; a NaN operand loses. */
  public static long min(DataType type, long left, long right) {
    if (kind(type).isInteger()) {
      return Math.min(left, right);
    }
    if (Conversion.isNan(type, left)) {
      return canonical(type, right);
    }
    return Conversion.isNan(type, right) || order(type, left) <= order(type, right) ? left : right;
  }

  /** The greater operand; a NaN operand loses. */
  public static long max(DataType type, long left, long right) {
    if (kind(type).isInteger()) {
      return Math.max(left, right);
    }
    if (Conversion.isNan(type, left)) {
      return canonical(type, right);
    }
    return Conversion.isNan(type, right) || order(type, left) >= order(type, right) ? left : right;
  }

  /** The value with its sign changed. */
  public static long negate(DataType type, long value) {
    return kind(type).isInteger()
        ? type.wrap(-value)
        : canonical(type, value ^ (1L << (type.bits() - 1)));
  }

  /** The value without its sign; the least integer is unchanged. */
  public static long abs(DataType type, long value) {
    return kind(type).isInteger()
        ? type.wrap(Math.abs(value))
        : canonical(type, value & ~(1L << (type.bits() - 1)));
  }

  /** {@code a * b + c} rounded once; floating point only. */
  public static long fma(DataType type, long a, long b, long c) {
    return switch (type) {
      case FP32 -> fp32(Math.fma(fp32(a), fp32(b), fp32(c)));
      case FP64 -> fp64(Math.fma(fp64(a), fp64(b), fp64(c)));
      default ->
          throw new IllegalArgumentException(
              "no fused multiply-add in this type: type=" + type + "; use FP32 or FP64");
    };
  }

  /** The pattern of an FP32 value. */
  public static long fp32(float value) {
    return Float.isNaN(value)
        ? Conversion.canonicalNan(DataType.FP32)
        : Integer.toUnsignedLong(Float.floatToRawIntBits(value));
  }

  /** The value of an FP32 pattern. */
  public static float fp32(long pattern) {
    return Float.intBitsToFloat((int) pattern);
  }

  /** The pattern of an FP64 value. */
  public static long fp64(double value) {
    return Double.doubleToLongBits(value);
  }

  /** The value of an FP64 pattern. */
  public static double fp64(long pattern) {
    return Double.longBitsToDouble(pattern);
  }

  private static DataType kind(DataType type) {
    if (type.isInteger() || type.isArithmetic()) {
      return type;
    }
    throw new IllegalArgumentException(
        "no arithmetic in this type: type=" + type + "; convert to " + type.accumulator());
  }

  private static long canonical(DataType type, long pattern) {
    return Conversion.isNan(type, pattern) ? Conversion.canonicalNan(type) : pattern;
  }

  /** Grows with the value of a non-NaN pattern, -0 before +0. */
  private static long order(DataType type, long pattern) {
    int unused = Long.SIZE - type.bits();
    long signed = pattern << unused >> unused;
    return signed < 0 ? ~(signed ^ Long.MIN_VALUE) : signed;
  }
}
