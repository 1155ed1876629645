package dev.oriel.domain.data;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

/**
 * The slow, obvious oracle for narrow floating-point types: lists every finite value from the
 * layout's textbook formula and searches the nearest in exact decimal arithmetic.
 */
final class NearestValue {

  private final TreeMap<BigDecimal, Long> positive = new TreeMap<>();
  private final int bits;
  private final BigDecimal overflowAt;
  private final boolean saturates;

  private NearestValue(
      int exponentBits, int fractionBits, int bias, long finitePatterns, boolean saturates) {
    this.bits = 1 + exponentBits + fractionBits;
    this.saturates = saturates;
    for (long pattern = 0; pattern < finitePatterns; pattern++) {
      long field = pattern / (1L << fractionBits);
      double fraction = (double) (pattern % (1L << fractionBits)) / (1L << fractionBits);
      double value =
          field == 0
              ? Math.pow(2, 1.0 - bias) * fraction
              : Math.pow(2, (double) (field - bias)) * (1 + fraction);
      positive.put(new BigDecimal(value), pattern);
    }
    BigDecimal largest = positive.lastKey();
    BigDecimal step = largest.subtract(positive.lowerKey(largest));
    this.overflowAt = largest.add(step.divide(BigDecimal.TWO));
  }

  static NearestValue of(DataType type) {
    return switch (type) {
      case FP8_E4M3 -> new NearestValue(4, 3, 7, 127, true);
      case FP8_E5M2 -> new NearestValue(5, 2, 15, 4 * 31, true);
      case FP16 -> new NearestValue(5, 10, 15, 1024 * 31, false);
      case BF16 -> new NearestValue(8, 7, 127, 128 * 255, false);
      default -> throw new IllegalArgumentException("not narrow: type=" + type + "; list it");
    };
  }

  /** The value of a finite pattern without its sign. */
  Map<BigDecimal, Long> finite() {
    return positive;
  }

  long encode(BigDecimal value, boolean negative) {
    long magnitude = magnitude(value.abs());
    return negative ? magnitude + (1L << (bits - 1)) : magnitude;
  }

  private long magnitude(BigDecimal value) {
    long largest = positive.lastEntry().getValue();
    if (value.compareTo(positive.lastKey()) > 0) {
      boolean overflows = value.compareTo(overflowAt) >= 0;
      return overflows && !saturates ? largest + 1 : largest;
    }
    Map.Entry<BigDecimal, Long> below = positive.floorEntry(value);
    Map.Entry<BigDecimal, Long> above = positive.ceilingEntry(value);
    int nearer = value.subtract(below.getKey()).compareTo(above.getKey().subtract(value));
    if (nearer == 0) {
      return below.getValue() % 2 == 0 ? below.getValue() : above.getValue();
    }
    return nearer < 0 ? below.getValue() : above.getValue();
  }
}
