package dev.oriel.domain.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ConversionProperties {

  private static final Map<DataType, NearestValue> ORACLES = new EnumMap<>(DataType.class);

  private static NearestValue oracle(DataType type) {
    return ORACLES.computeIfAbsent(type, NearestValue::of);
  }

  @Property(tries = 4000)
  void narrowsToTheNearestValue(@ForAll("narrow") DataType type, @ForAll("values") double value) {
    assertThat(Conversion.ofDouble(type, value))
        .isEqualTo(oracle(type).encode(new BigDecimal(value), isNegative(value)));
  }

  @Property(tries = 4000)
  void breaksTiesToEvenAndNothingElse(
      @ForAll("narrow") DataType type, @ForAll int pattern, @ForAll("nudges") int ulps) {
    long low = Integer.toUnsignedLong(pattern) % (FloatFormat.of(type).maxFinite() - 1);
    double middle = (Conversion.toDouble(type, low) + Conversion.toDouble(type, low + 1)) / 2;
    double value = Double.longBitsToDouble(Double.doubleToLongBits(middle) + ulps);
    assertThat(Conversion.ofDouble(type, value))
        .isEqualTo(oracle(type).encode(new BigDecimal(value), false));
  }

  @Property(tries = 4000)
  void narrowsLongsToTheNearestValue(@ForAll("narrow") DataType type, @ForAll long value) {
    assertThat(Conversion.convert(DataType.INT64, type, value))
        .isEqualTo(oracle(type).encode(new BigDecimal(value), value < 0));
  }

  @Property(tries = 4000)
  void mayGoThroughFp32WhenThatIsRoundedToOdd(
      @ForAll("narrow") DataType type, @ForAll("values") double value, @ForAll("nudges") int ulps) {
    for (double near : new double[] {value, nudged((float) value, ulps), nudged(17, ulps)}) {
      assertThat(Conversion.ofDouble(type, roundedToOdd(near)))
          .isEqualTo(Conversion.ofDouble(type, near));
    }
  }

  private static double nudged(double value, int ulps) {
    return Double.longBitsToDouble(Double.doubleToLongBits(value) + ulps);
  }

  /** Rounds toward zero, and sets the last bit if the result is inexact. */
  private static float roundedToOdd(double value) {
    float nearest = (float) value;
    if (nearest == value) {
      return nearest;
    }
    int bits = Float.floatToRawIntBits(nearest);
    int down = Math.abs((double) nearest) > Math.abs(value) ? bits - 1 : bits;
    return Float.intBitsToFloat(down | 1);
  }

  @Property(tries = 4000)
  void narrowsToFp32AsJavaDoes(@ForAll("values") double value) {
    assertThat(Conversion.ofDouble(DataType.FP32, value))
        .isEqualTo(Integer.toUnsignedLong(Float.floatToRawIntBits((float) value)));
  }

  @Property(tries = 4000)
  void narrowsToFp16AsTheJdkDoes(@ForAll float value) {
    assertThat(Conversion.ofDouble(DataType.FP16, value))
        .isEqualTo(Short.toUnsignedLong(Float.floatToFloat16(value)));
  }

  @Property
  void returnsFp64Unchanged(@ForAll long pattern) {
    double value = Double.longBitsToDouble(pattern);
    assertThat(Conversion.ofDouble(DataType.FP64, value)).isEqualTo(Double.doubleToLongBits(value));
    assertThat(Conversion.toDouble(DataType.FP64, pattern)).isEqualTo(Double.valueOf(value));
  }

  @Provide
  Arbitrary<DataType> narrow() {
    return Arbitraries.of(DataType.FP8_E4M3, DataType.FP8_E5M2, DataType.FP16, DataType.BF16);
  }

  @Provide
  Arbitrary<Integer> nudges() {
    return Arbitraries.integers().between(-1, 1);
  }

  /** Finite doubles whose exponents cover those of every narrow type and a little beyond. */
  @Provide
  Arbitrary<Double> values() {
    return Combinators.combine(
            Arbitraries.integers().between(-160, 130),
            Arbitraries.longs(),
            Arbitraries.integers().between(0, 52))
        .as((exponent, bits, zeros) -> {
          long fraction = bits >>> 12 >>> zeros << zeros;
          double value =
              Math.scalb(Double.longBitsToDouble(0x3FF0000000000000L | fraction), exponent);
          return (bits & 1) == 0 ? value : -value;
        });
  }

  private static boolean isNegative(double value) {
    return Double.doubleToRawLongBits(value) < 0;
  }
}
