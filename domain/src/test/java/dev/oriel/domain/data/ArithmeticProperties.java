package dev.oriel.domain.data;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class ArithmeticProperties {

  @Property
  void agreesWithFloats(@ForAll int left, @ForAll int right) {
    float a = Float.intBitsToFloat(left);
    float b = Float.intBitsToFloat(right);
    long x = Integer.toUnsignedLong(left);
    long y = Integer.toUnsignedLong(right);
    assertThat(Arithmetic.fp32(Arithmetic.add(DataType.FP32, x, y)))
        .isEqualTo(Float.valueOf(a + b));
    assertThat(Arithmetic.fp32(Arithmetic.subtract(DataType.FP32, x, y)))
        .isEqualTo(Float.valueOf(a - b));
    assertThat(Arithmetic.fp32(Arithmetic.multiply(DataType.FP32, x, y)))
        .isEqualTo(Float.valueOf(a * b));
    assertThat(Arithmetic.fp32(Arithmetic.divide(DataType.FP32, x, y)))
        .isEqualTo(Float.valueOf(a / b));
    if (!Float.isNaN(a) && !Float.isNaN(b)) {
      assertThat(Arithmetic.fp32(Arithmetic.min(DataType.FP32, x, y)))
          .isEqualTo(Float.valueOf(Math.min(a, b)));
      assertThat(Arithmetic.fp32(Arithmetic.max(DataType.FP32, x, y)))
          .isEqualTo(Float.valueOf(Math.max(a, b)));
    }
  }

  @Property
  void agreesWithDoubles(@ForAll long x, @ForAll long y) {
    double a = Double.longBitsToDouble(x);
    double b = Double.longBitsToDouble(y);
    assertThat(Arithmetic.fp64(Arithmetic.add(DataType.FP64, x, y)))
        .isEqualTo(Double.valueOf(a + b));
    assertThat(Arithmetic.fp64(Arithmetic.multiply(DataType.FP64, x, y)))
        .isEqualTo(Double.valueOf(a * b));
    if (!Double.isNaN(a) && !Double.isNaN(b)) {
      assertThat(Arithmetic.fp64(Arithmetic.min(DataType.FP64, x, y)))
          .isEqualTo(Double.valueOf(Math.min(a, b)));
      assertThat(Arithmetic.fp64(Arithmetic.max(DataType.FP64, x, y)))
          .isEqualTo(Double.valueOf(Math.max(a, b)));
    }
  }

  @Property
  void agreesWithInts(@ForAll int a, @ForAll int b) {
    assertThat(Arithmetic.add(DataType.INT32, a, b)).isEqualTo(a + b);
    assertThat(Arithmetic.subtract(DataType.INT32, a, b)).isEqualTo(a - b);
    int product = a * b;
    assertThat(Arithmetic.multiply(DataType.INT32, a, b)).isEqualTo(product);
    assertThat(Arithmetic.add(DataType.INT8, (byte) a, (byte) b)).isEqualTo((byte) (a + b));
    assertThat(Arithmetic.multiply(DataType.INT16, (short) a, (short) b))
        .isEqualTo((short) (a * b));
  }

  @Example
  void restoresEveryDividendFromQuotientAndRemainder() {
    for (int a = Byte.MIN_VALUE; a <= Byte.MAX_VALUE; a++) {
      for (int b = Byte.MIN_VALUE; b <= Byte.MAX_VALUE; b++) {
        long quotient = Arithmetic.divide(DataType.INT8, a, b);
        long product = Arithmetic.multiply(DataType.INT8, quotient, b);
        long rest = Arithmetic.remainder(DataType.INT8, a, b);
        assertThat(Arithmetic.add(DataType.INT8, product, rest)).isEqualTo(a);
      }
    }
  }
}
