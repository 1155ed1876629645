package dev.oriel.domain.data;

/**
 * Encodes and decodes one floating-point layout exactly: sign, exponent field, fraction field.
 *
 * <p>Encoding takes the value as a {@code double} and rounds once, to nearest, ties to even,
 * keeping subnormal results. Patterns grow with magnitude, so a carry out of the fraction
 * increments the exponent correctly, and overflow shows as a pattern above {@link #maxFinite}.
 */
record FloatFormat(
    int exponentBits,
    int fractionBits,
    long maxFinite,
    boolean hasInfinity,
    boolean saturates,
    long nan) {

  private static final int DOUBLE_FRACTION = 52;
  private static final long DOUBLE_HIDDEN = 1L << DOUBLE_FRACTION;

  private static final FloatFormat E4M3 = new FloatFormat(4, 3, 0x7E, false, true, 0x7F);
  private static final FloatFormat E5M2 = new FloatFormat(5, 2, 0x7B, true, true, 0x7F);
  private static final FloatFormat FP16 = new FloatFormat(5, 10, 0x7BFF, true, false, 0x7FFF);
  private static final FloatFormat BF16 = new FloatFormat(8, 7, 0x7F7F, true, false, 0x7FFF);
  private static final FloatFormat FP32 =
      new FloatFormat(8, 23, 0x7F7F_FFFFL, true, false, 0x7FFF_FFFFL);
  private static final FloatFormat FP64 =
      new FloatFormat(11, 52, 0x7FEF_FFFF_FFFF_FFFFL, true, false, 0x7FF8_0000_0000_0000L);

  static FloatFormat of(DataType type) {
    return switch (type) {
      case FP8_E4M3 -> E4M3;
      case FP8_E5M2 -> E5M2;
      case FP16 -> FP16;
      case BF16 -> BF16;
      case FP32 -> FP32;
      case FP64 -> FP64;
      case INT8, INT16, INT32, INT64 ->
          throw new IllegalArgumentException(
              "no floating-point layout: type=" + type + "; ask for it of a floating-point type");
    };
  }

  boolean isNan(long pattern) {
    return magnitude(pattern) > (hasInfinity ? maxFinite + 1 : maxFinite);
  }

  double decode(long pattern) {
    long magnitude = magnitude(pattern);
    if (isNan(pattern)) {
      return Double.NaN;
    }
    double value;
    if (magnitude > maxFinite) {
      value = Double.POSITIVE_INFINITY;
    } else {
      long fraction = magnitude & ((1L << fractionBits) - 1);
      int field = (int) (magnitude >>> fractionBits);
      value =
          field == 0
              ? Math.scalb((double) fraction, minExponent() - fractionBits)
              : Math.scalb(
                  (double) (fraction | 1L << fractionBits),
                  minExponent() + field - 1 - fractionBits);
    }
    return magnitude == pattern ? value : -value;
  }

  long encode(double value) {
    if (Double.isNaN(value)) {
      return nan;
    }
    long bits = Double.doubleToRawLongBits(value);
    long magnitude = Double.isInfinite(value) ? overflow() : round(bits);
    return bits < 0 ? magnitude | signBit() : magnitude;
  }

  private long round(long bits) {
    int exponent = Math.max(Math.getExponent(Double.longBitsToDouble(bits)), Double.MIN_EXPONENT);
    boolean normal = (bits << 1 >>> (DOUBLE_FRACTION + 1)) != 0;
    long significand = (bits & (DOUBLE_HIDDEN - 1)) | (normal ? DOUBLE_HIDDEN : 0);
    int above = Math.max(exponent - minExponent(), 0);
    int belowNormal = Math.max(minExponent() - exponent, 0);
    // With 54 or more dropped bits, the value is under half of the smallest subnormal.
    int dropped = Math.min(DOUBLE_FRACTION - fractionBits + belowNormal, DOUBLE_FRACTION + 2);
    long kept = significand >>> dropped;
    if (dropped > 0) {
      long rest = significand - (kept << dropped);
      long half = 1L << (dropped - 1);
      if (rest > half || (rest == half && (kept & 1) == 1)) {
        kept++;
      }
    }
    long rounded = ((long) above << fractionBits) + kept;
    return rounded > maxFinite ? overflow() : rounded;
  }

  private long overflow() {
    return saturates ? maxFinite : maxFinite + 1;
  }

  private long magnitude(long pattern) {
    return pattern & (signBit() - 1);
  }

  private long signBit() {
    return 1L << (exponentBits + fractionBits);
  }

  private int minExponent() {
    return 2 - (1 << (exponentBits - 1));
  }
}
