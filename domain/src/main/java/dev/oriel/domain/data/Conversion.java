package dev.oriel.domain.data;

/**
 * Converts one element between types, bit for bit as a GPU does it, with one rounding at most.
 *
 * <p>To a floating-point type: nearest, ties to even, subnormals kept. FP8 saturates: every value
 * beyond the largest finite one, infinities too, becomes that one, and NaN stays NaN (as in PTX
 * {@code cvt.rn.satfinite}); wider types overflow to infinity. To an integer type: a floating-point
 * value is truncated toward zero and clamped, NaN becomes 0; an integer wraps. A conversion of a
 * type to itself returns the pattern unchanged; every other conversion of a NaN gives the one
 * {@link #canonicalNan canonical} NaN.
 *
 * <p>Every source type has exactly one rounding. PTX has no direct conversion of FP64 or INT64 to
 * FP8: a compiler goes through FP32 <em>rounded to odd</em>, which gives the same bits; FP32
 * rounded to nearest would not.
 *
 * <p>PTX turns a NaN into the least integer where the source is FP64 or the target INT64, and into
 * 0 elsewhere: a compiler selects 0 for it there.
 */
public final class Conversion {

  private static final int DOUBLE_PRECISION = 53;

  private Conversion() {}

  /** The pattern of type {@code to} for the value of a pattern of type {@code from}. */
  public static long convert(DataType from, DataType to, long pattern) {
    if (from == to) {
      return pattern;
    }
    if (from.isInteger()) {
      return ofLong(to, pattern);
    }
    return ofDouble(to, toDouble(from, pattern));
  }

  /** The exact value of a floating-point pattern. */
  public static double toDouble(DataType type, long pattern) {
    return FloatFormat.of(type).decode(pattern);
  }

  /** The pattern for a value: rounded to a floating-point type, truncated to an integer type. */
  public static long ofDouble(DataType type, double value) {
    if (type.isInteger()) {
      long bound = Long.MAX_VALUE >>> (Long.SIZE - type.bits());
      return Math.clamp((long) value, -bound - 1, bound);
    }
    return FloatFormat.of(type).encode(value);
  }

  /** The pattern for an integer: wrapped to an integer type, rounded to a floating-point type. */
  public static long ofLong(DataType type, long value) {
    if (type.isInteger()) {
      return type.wrap(value);
    }
    return type == DataType.FP64
        ? Double.doubleToRawLongBits((double) value)
        : FloatFormat.of(type).encode(roundToOdd(value));
  }

  /** Whether a pattern is a NaN; never for an integer type. */
  public static boolean isNan(DataType type, long pattern) {
    return type.isFloat() && FloatFormat.of(type).isNan(pattern);
  }

  /**
   * The NaN that arithmetic and conversions produce: PTX's canonical NaN for types where PTX
   * defines one.
   */
  public static long canonicalNan(DataType type) {
    return FloatFormat.of(type).nan();
  }

  /** The largest finite value of a floating-point type. */
  public static double largest(DataType type) {
    FloatFormat format = FloatFormat.of(type);
    return format.decode(format.maxFinite());
  }

  /** Whether two patterns are the same result: equal bits, or both NaN. */
  public static boolean same(DataType type, long left, long right) {
    return left == right || (isNan(type, left) && isNan(type, right));
  }

  /** Cuts to 53 bits and marks a loss in the last one, so that a second rounding sees it. */
  private static double roundToOdd(long value) {
    long magnitude = Math.abs(value);
    int dropped = Math.max(Long.SIZE - DOUBLE_PRECISION - Long.numberOfLeadingZeros(magnitude), 0);
    long kept = magnitude >>> dropped;
    if (kept << dropped != magnitude) {
      kept |= 1;
    }
    double odd = Math.scalb((double) kept, dropped);
    return value < 0 ? -odd : odd;
  }
}
