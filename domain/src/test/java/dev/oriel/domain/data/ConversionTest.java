package dev.oriel.domain.data;

import static dev.oriel.domain.data.DataType.BF16;
import static dev.oriel.domain.data.DataType.FP16;
import static dev.oriel.domain.data.DataType.FP32;
import static dev.oriel.domain.data.DataType.FP64;
import static dev.oriel.domain.data.DataType.FP8_E4M3;
import static dev.oriel.domain.data.DataType.FP8_E5M2;
import static dev.oriel.domain.data.DataType.INT16;
import static dev.oriel.domain.data.DataType.INT32;
import static dev.oriel.domain.data.DataType.INT64;
import static dev.oriel.domain.data.DataType.INT8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ConversionTest {

  @ParameterizedTest
  @EnumSource(names = {"FP8_E4M3", "FP8_E5M2", "FP16", "BF16"})
  void decodesEveryFinitePatternToItsTextbookValueAndBack(DataType type) {
    long sign = 1L << (type.bits() - 1);
    NearestValue.of(type)
        .finite()
        .forEach((value, pattern) -> {
          assertThat(new BigDecimal(Conversion.toDouble(type, pattern)))
              .isEqualByComparingTo(value);
          assertThat(Conversion.toDouble(type, pattern | sign))
              .isEqualTo(-Conversion.toDouble(type, pattern));
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"FP8_E4M3", "FP8_E5M2", "FP16", "BF16"})
  void widensEveryPatternExactlyAndNarrowsItBack(DataType type) {
    for (long pattern = 0; pattern < 1L << type.bits(); pattern++) {
      for (DataType wide : new DataType[] {FP32, FP64}) {
        long widened = Conversion.convert(type, wide, pattern);
        long back = Conversion.convert(wide, type, widened);
        boolean infinite = Double.isInfinite(Conversion.toDouble(type, pattern));
        if (infinite && type == FP8_E5M2) {
          assertThat(back).isEqualTo(pattern - 1);
        } else {
          assertThat(Conversion.same(type, pattern, back)).as("%s %x", type, pattern).isTrue();
        }
        assertThat(Conversion.isNan(wide, widened)).isEqualTo(Conversion.isNan(type, pattern));
      }
    }
  }

  @Test
  void decodesFp16AsTheJdkDoes() {
    for (int pattern = 0; pattern < 1 << 16; pattern++) {
      assertThat(Conversion.toDouble(FP16, pattern))
          .isEqualTo(Double.valueOf(Float.float16ToFloat((short) pattern)));
    }
  }

  @Test
  void countsTheNansOfEachType() {
    assertThat(nans(FP8_E4M3)).isEqualTo(2);
    assertThat(nans(FP8_E5M2)).isEqualTo(6);
    assertThat(nans(FP16)).isEqualTo(2 * 1023);
    assertThat(nans(BF16)).isEqualTo(2 * 127);
    assertThat(Conversion.isNan(INT8, 0x7F)).isFalse();
  }

  private static int nans(DataType type) {
    int count = 0;
    for (long pattern = 0; pattern < 1L << type.bits(); pattern++) {
      count += Conversion.isNan(type, pattern) ? 1 : 0;
    }
    return count;
  }

  @ParameterizedTest
  @CsvSource({
    "FP8_E4M3, 448, 0x7e",
    "FP8_E4M3, 464, 0x7e",
    "FP8_E4M3, 1e30, 0x7e",
    "FP8_E4M3, -1e30, 0xfe",
    "FP8_E4M3, Infinity, 0x7e",
    "FP8_E4M3, -Infinity, 0xfe",
    "FP8_E4M3, NaN, 0x7f",
    "FP8_E4M3, 0.001953125, 0x01",
    "FP8_E4M3, 0.0009765625, 0x00",
    "FP8_E4M3, 0.00097656250001, 0x01",
    "FP8_E4M3, 0.0029296875, 0x02",
    "FP8_E4M3, -0.0, 0x80",
    "FP8_E4M3, 1, 0x38",
    "FP8_E4M3, 17, 0x58",
    "FP8_E4M3, 19, 0x5a",
    "FP8_E5M2, 57344, 0x7b",
    "FP8_E5M2, 65536, 0x7b",
    "FP8_E5M2, Infinity, 0x7b",
    "FP8_E5M2, -Infinity, 0xfb",
    "FP8_E5M2, NaN, 0x7f",
    "FP8_E5M2, 1, 0x3c",
    "FP16, 65504, 0x7bff",
    "FP16, 65519.99, 0x7bff",
    "FP16, 65520, 0x7c00",
    "FP16, -65520, 0xfc00",
    "FP16, Infinity, 0x7c00",
    "FP16, NaN, 0x7fff",
    "BF16, 3.4e38, 0x7f80",
    "BF16, 3.38e38, 0x7f7e",
    "BF16, -Infinity, 0xff80",
    "BF16, 1e-40, 0x0001",
    "BF16, NaN, 0x7fff",
    "FP32, 3.4028235677973366e38, 0x7f800000",
    "FP32, 1.4e-45, 0x00000001",
    "FP32, NaN, 0x7fffffff",
    "FP32, 4.9e-324, 0x00000000",
    "FP32, -4.9e-324, 0x80000000",
    "FP64, 1, 0x3ff0000000000000",
    "FP64, 4.9e-324, 0x0000000000000001",
    "FP64, -Infinity, 0xfff0000000000000",
    "FP64, NaN, 0x7ff8000000000000"
  })
  void roundsAtTheEdgesAsTheHardwareDoes(DataType type, double value, String pattern) {
    assertThat(Conversion.ofDouble(type, value))
        .isEqualTo(Long.parseUnsignedLong(pattern.substring(2), 16));
  }

  @Test
  void roundsOnlyOnceFromWideTypesToNarrowOnes() {
    // Just above a midpoint of e4m3 by less than FP32 can hold: rounding twice would tie to even.
    double aboveTie = 17 + 0x1p-40;
    assertThat(Conversion.convert(FP64, FP8_E4M3, Double.doubleToRawLongBits(aboveTie)))
        .isEqualTo(0x59);
    assertThat(Conversion.ofDouble(FP8_E4M3, (float) aboveTie)).isEqualTo(0x58);
    // 2^62 + 2^54 is a midpoint of bf16; one more is lost in FP64.
    long tie = (1L << 62) + (1L << 54);
    long even = Conversion.ofLong(BF16, tie);
    assertThat(Conversion.toDouble(BF16, even)).isEqualTo(0x1p62);
    assertThat(Conversion.toDouble(BF16, Conversion.ofLong(BF16, tie + 1)))
        .isEqualTo(0x1p62 + 0x1p55);
    assertThat(Conversion.toDouble(BF16, Conversion.ofLong(BF16, -tie - 1)))
        .isEqualTo(-0x1p62 - 0x1p55);
    assertThat(Conversion.ofDouble(BF16, (double) (tie + 1))).isEqualTo(even);
  }

  @ParameterizedTest
  @CsvSource({
    "0",
    "1",
    "-1",
    "9007199254740993",
    "-9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "9223371761976868863",
    "9223371761976868864",
    "16777217",
    "33554435"
  })
  void convertsLongsToWideTypesAsJavaDoes(long value) {
    assertThat(Conversion.convert(INT64, FP64, value))
        .isEqualTo(Double.doubleToRawLongBits((double) value));
    assertThat(Conversion.convert(INT64, FP32, value))
        .isEqualTo(Integer.toUnsignedLong(Float.floatToRawIntBits((float) value)));
  }

  @ParameterizedTest
  @CsvSource({
    "INT8, 127.9, 127",
    "INT8, 128, 127",
    "INT8, -128.9, -128",
    "INT8, -1e9, -128",
    "INT8, -0.9, 0",
    "INT8, NaN, 0",
    "INT16, 1e9, 32767",
    "INT16, -32769, -32768",
    "INT32, 3e9, 2147483647",
    "INT32, -3e9, -2147483648",
    "INT32, -7.5, -7",
    "INT64, 1e30, 9223372036854775807",
    "INT64, -Infinity, -9223372036854775808",
    "INT64, NaN, 0"
  })
  void truncatesAndClampsToIntegers(DataType type, double value, long expected) {
    assertThat(Conversion.convert(FP64, type, Double.doubleToRawLongBits(value)))
        .isEqualTo(expected);
  }

  @Test
  void wrapsIntegersAndExtendsTheirSign() {
    assertThat(Conversion.convert(INT64, INT8, 0x1FF)).isEqualTo(-1);
    assertThat(Conversion.convert(INT32, INT16, 0x8000)).isEqualTo(-0x8000);
    assertThat(Conversion.convert(INT8, INT64, -5)).isEqualTo(-5);
    assertThat(FP16.wrap(-1)).isEqualTo(0xFFFF);
    assertThat(FP64.wrap(-1)).isEqualTo(-1);
  }

  @Test
  void keepsThePayloadOfANanOnlyWhereNothingIsConverted() {
    assertThat(Conversion.convert(FP16, FP16, 0xFC01)).isEqualTo(0xFC01);
    assertThat(Conversion.convert(FP16, FP32, 0xFC01)).isEqualTo(0x7FFFFFFFL);
    assertThat(Conversion.same(FP16, 0xFC01, 0x7C02)).isTrue();
    assertThat(Conversion.same(FP16, 0x7C00, 0x7C01)).isFalse();
    assertThat(Conversion.same(FP16, 0x7C01, 0x7C00)).isFalse();
    assertThat(Conversion.same(FP16, 0x0000, 0x8000)).isFalse();
    assertThat(Conversion.same(INT32, 3, 3)).isTrue();
  }

  @Test
  void refusesTheFloatingPointLayoutOfAnInteger() {
    assertThatThrownBy(() -> Conversion.canonicalNan(INT32))
        .hasMessage("no floating-point layout: type=INT32; ask for it of a floating-point type");
  }

  @Test
  void knowsTypesByTheirSymbols() {
    for (DataType type : DataType.values()) {
      assertThat(DataType.ofSymbol(type.symbol())).contains(type);
      assertThat(type.isFloat()).isNotEqualTo(type.isInteger());
      assertThat(type.bits()).isEqualTo(type.bytes() * 8);
    }
    assertThat(DataType.ofSymbol("f8")).isEmpty();
    assertThat(FP8_E5M2.symbol()).isEqualTo("e5m2");
    assertThat(FP8_E4M3.accumulator()).isEqualTo(FP32);
    assertThat(INT16.accumulator()).isEqualTo(INT32);
    assertThat(INT64.accumulator()).isEqualTo(INT64);
    assertThat(FP64.accumulator()).isEqualTo(FP64);
    assertThat(INT32.isArithmetic()).isTrue();
    assertThat(BF16.isArithmetic()).isFalse();
  }
}
