package dev.oriel.domain.data;

import static dev.oriel.domain.data.DataType.FP16;
import static dev.oriel.domain.data.DataType.FP32;
import static dev.oriel.domain.data.DataType.FP64;
import static dev.oriel.domain.data.DataType.INT32;
import static dev.oriel.domain.data.DataType.INT64;
import static dev.oriel.domain.data.DataType.INT8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArithmeticTest {

  private static long of(DataType type, double value) {
    return Conversion.ofDouble(type, value);
  }

  @ParameterizedTest
  @EnumSource(names = {"INT8", "INT16", "INT32", "INT64", "FP32", "FP64"})
  void computesSmallValuesInEveryType(DataType type) {
    long seven = of(type, 7);
    long two = of(type, -2);
    assertThat(Arithmetic.add(type, seven, two)).isEqualTo(of(type, 5));
    assertThat(Arithmetic.subtract(type, seven, two)).isEqualTo(of(type, 9));
    assertThat(Arithmetic.multiply(type, seven, two)).isEqualTo(of(type, -14));
    assertThat(Arithmetic.divide(type, seven, two)).isEqualTo(of(type, -3.5));
    assertThat(Arithmetic.min(type, seven, two)).isEqualTo(two);
    assertThat(Arithmetic.min(type, two, seven)).isEqualTo(two);
    assertThat(Arithmetic.max(type, seven, two)).isEqualTo(seven);
    assertThat(Arithmetic.max(type, two, seven)).isEqualTo(seven);
    assertThat(Arithmetic.negate(type, seven)).isEqualTo(of(type, -7));
    assertThat(Arithmetic.abs(type, two)).isEqualTo(of(type, 2));
    assertThat(Arithmetic.abs(type, seven)).isEqualTo(seven);
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP64"})
  void aNanLosesEveryComparisonAsInPtx(DataType type) {
    long nan = Conversion.canonicalNan(type);
    long odd = nan ^ 1;
    long infinity = of(type, Double.NEGATIVE_INFINITY);
    assertThat(Arithmetic.min(type, odd, infinity)).isEqualTo(infinity);
    assertThat(Arithmetic.min(type, infinity, odd)).isEqualTo(infinity);
    assertThat(Arithmetic.max(type, odd, infinity)).isEqualTo(infinity);
    assertThat(Arithmetic.max(type, infinity, odd)).isEqualTo(infinity);
    assertThat(Arithmetic.min(type, odd, odd)).isEqualTo(nan);
    assertThat(Arithmetic.max(type, odd, odd)).isEqualTo(nan);
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP64"})
  void ordersMinusZeroBeforeZeroAndNegativesByValue(DataType type) {
    long minus = of(type, -0.0);
    assertThat(Arithmetic.min(type, 0, minus)).isEqualTo(minus);
    assertThat(Arithmetic.min(type, minus, 0)).isEqualTo(minus);
    assertThat(Arithmetic.max(type, minus, 0)).isZero();
    assertThat(Arithmetic.max(type, 0, minus)).isZero();
    assertThat(Arithmetic.min(type, of(type, -1), of(type, -2))).isEqualTo(of(type, -2));
    assertThat(Arithmetic.max(type, of(type, -1), of(type, -2))).isEqualTo(of(type, -1));
    assertThat(Arithmetic.max(type, of(type, -1), minus)).isEqualTo(minus);
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP64"})
  void answersWithTheCanonicalNan(DataType type) {
    long nan = Conversion.canonicalNan(type);
    long odd = nan ^ 1;
    long infinity = of(type, Double.POSITIVE_INFINITY);
    assertThat(Arithmetic.add(type, odd, 0)).isEqualTo(nan);
    assertThat(Arithmetic.subtract(type, infinity, infinity)).isEqualTo(nan);
    assertThat(Arithmetic.multiply(type, 0, infinity)).isEqualTo(nan);
    assertThat(Arithmetic.divide(type, 0, 0)).isEqualTo(nan);
    assertThat(Arithmetic.fma(type, 0, infinity, 0)).isEqualTo(nan);
    assertThat(Arithmetic.negate(type, odd)).isEqualTo(nan);
    assertThat(Arithmetic.abs(type, odd)).isEqualTo(nan);
    assertThat(Arithmetic.divide(type, of(type, 1), of(type, -0.0)))
        .isEqualTo(of(type, Double.NEGATIVE_INFINITY));
  }

  @Test
  void wrapsIntegers() {
    assertThat(Arithmetic.add(INT8, 127, 1)).isEqualTo(-128);
    assertThat(Arithmetic.subtract(INT8, -128, 1)).isEqualTo(127);
    assertThat(Arithmetic.multiply(INT8, 16, 16)).isZero();
    assertThat(Arithmetic.negate(INT8, -128)).isEqualTo(-128);
    assertThat(Arithmetic.abs(INT8, -128)).isEqualTo(-128);
    assertThat(Arithmetic.divide(INT32, Integer.MIN_VALUE, -1)).isEqualTo(Integer.MIN_VALUE);
    assertThat(Arithmetic.divide(INT64, Long.MIN_VALUE, -1)).isEqualTo(Long.MIN_VALUE);
    assertThat(Arithmetic.remainder(INT64, Long.MIN_VALUE, -1)).isZero();
  }

  @Test
  void divisionByZeroAllowsRestoringTheDividend() {
    assertThat(Arithmetic.divide(INT32, 7, 0)).isZero();
    assertThat(Arithmetic.remainder(INT32, 7, 0)).isEqualTo(7);
    assertThat(Arithmetic.divide(INT32, -7, 2)).isEqualTo(-3);
    assertThat(Arithmetic.remainder(INT32, -7, 2)).isEqualTo(-1);
  }

  @Test
  void fusesOnlyWhereAsked() {
    long a = of(FP32, 1 + 0x1p-12);
    long minusOne = of(FP32, -1);
    long product = Arithmetic.multiply(FP32, a, a);
    assertThat(Arithmetic.add(FP32, product, minusOne)).isEqualTo(of(FP32, 0x1p-11));
    assertThat(Arithmetic.fma(FP32, a, a, minusOne)).isEqualTo(of(FP32, 0x1p-11 + 0x1p-24));
    assertThat(Arithmetic.fma(FP64, of(FP64, 2), of(FP64, 3), of(FP64, 4))).isEqualTo(of(FP64, 10));
  }

  @Test
  void keepsSubnormals() {
    assertThat(Arithmetic.divide(FP32, 2, of(FP32, 2))).isEqualTo(1);
    assertThat(Arithmetic.add(FP64, 1, 1)).isEqualTo(2);
  }

  @Test
  void refusesTypesThatAreConvertedFirst() {
    assertThatThrownBy(() -> Arithmetic.add(FP16, 0, 0))
        .hasMessage("no arithmetic in this type: type=FP16; convert to FP32");
    assertThatThrownBy(() -> Arithmetic.min(FP16, 0, 0)).hasMessageContaining("type=FP16");
    assertThatThrownBy(() -> Arithmetic.abs(FP16, 0)).hasMessageContaining("type=FP16");
    assertThatThrownBy(() -> Arithmetic.fma(INT32, 0, 0, 0))
        .hasMessage("no fused multiply-add in this type: type=INT32; use FP32 or FP64");
    assertThatThrownBy(() -> Arithmetic.remainder(FP32, 0, 0))
        .hasMessage("no remainder of this type: type=FP32; use an integer type");
  }
}
