package dev.oriel.domain.data;

import static dev.oriel.domain.data.DataType.BF16;
import static dev.oriel.domain.data.DataType.FP16;
import static dev.oriel.domain.data.DataType.FP32;
import static dev.oriel.domain.data.DataType.FP64;
import static dev.oriel.domain.data.DataType.FP8_E4M3;
import static dev.oriel.domain.data.DataType.INT32;
import static dev.oriel.domain.data.DataType.INT64;
import static dev.oriel.domain.data.DataType.INT8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ReductionTest {

  private static long reduce(Reduction reduction, double... values) {
    List<ElementArray> sources =
        Arrays.stream(values).mapToObj(value -> one(reduction.element(), value)).toList();
    ElementArray out = ElementArray.zeros(reduction.element(), 1);
    reduction.reduce(sources, out);
    return out.get(0);
  }

  private static ElementArray one(DataType type, double value) {
    ElementArray elements = ElementArray.zeros(type, 1);
    elements.set(0, Conversion.ofDouble(type, value));
    return elements;
  }

  @ParameterizedTest
  @CsvSource({"SUM, 5", "MIN, -4", "MAX, 6", "PROD, -72", "AVG, 1.6666666666666667"})
  void reducesThreeValues(ReduceOp op, double expected) {
    assertThat(reduce(Reduction.of(op, FP64), 3, 6, -4))
        .isEqualTo(Conversion.ofDouble(FP64, expected));
    assertThat(reduce(Reduction.of(op, INT32), 3, 6, -4)).isEqualTo((long) expected);
    assertThat(reduce(Reduction.of(op, BF16), 3, 6, -4))
        .isEqualTo(Conversion.ofDouble(BF16, (float) expected));
  }

  @ParameterizedTest
  @EnumSource
  void returnsASingleSourceUnchanged(ReduceOp op) {
    assertThat(reduce(Reduction.of(op, FP8_E4M3), 13)).isEqualTo(Conversion.ofDouble(FP8_E4M3, 13));
  }

  @Test
  void roundsOnceAtTheEnd() {
    // Each step alone would be lost in bf16; their sum in FP32 is not.
    assertThat(reduce(Reduction.of(ReduceOp.SUM, BF16), 256, 1, 1))
        .isEqualTo(Conversion.ofDouble(BF16, 258));
    // The sum leaves the range of FP16; the average does not.
    assertThat(reduce(Reduction.of(ReduceOp.AVG, FP16), 60000, 60000))
        .isEqualTo(Conversion.ofDouble(FP16, 60000));
    assertThat(reduce(Reduction.of(ReduceOp.SUM, FP16), 60000, 60000)).isEqualTo(0x7C00);
  }

  @Test
  void keepsTheOrderOfItsSources() {
    Reduction sum = Reduction.of(ReduceOp.SUM, FP32);
    assertThat(reduce(sum, 1e30, -1e30, 1)).isEqualTo(Conversion.ofDouble(FP32, 1));
    assertThat(reduce(sum, 1, 1e30, -1e30)).isZero();
    assertThat(reduce(new Reduction(ReduceOp.SUM, FP32, FP64), 1e20, 1, -1e20)).isZero();
  }

  @Test
  void truncatesIntegerAveragesAndWrapsOnlyWithTheAccumulator() {
    assertThat(reduce(Reduction.of(ReduceOp.AVG, INT8), -3, -4)).isEqualTo(-3);
    assertThat(reduce(Reduction.of(ReduceOp.AVG, INT8), 100, 100)).isEqualTo(100);
    assertThat(reduce(new Reduction(ReduceOp.AVG, INT8, INT8), 100, 100)).isEqualTo(-28);
    assertThat(reduce(Reduction.of(ReduceOp.SUM, INT8), 100, 100)).isEqualTo(-56);
    assertThat(reduce(new Reduction(ReduceOp.AVG, INT32, INT64), 2e9, 2e9))
        .isEqualTo(2_000_000_000);
  }

  @Test
  void reducesInPlaceElementByElement() {
    ElementArray a = ElementArray.of(INT8, new byte[] {1, 2, 3});
    ElementArray b = ElementArray.of(INT8, new byte[] {10, 20, 30});
    Reduction.of(ReduceOp.SUM, INT8).reduce(List.of(a, b), b);
    assertThat(List.of(b.get(0), b.get(1), b.get(2))).containsExactly(11L, 22L, 33L);
    assertThat(a.get(2)).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "FP16, FP16",
    "FP32, BF16",
    "FP64, FP32",
    "FP32, INT32",
    "INT32, FP32",
    "INT64, INT32",
    "FP8_E4M3, FP8_E4M3",
    "BF16, FP16"
  })
  void refusesAnUnfitAccumulator(DataType element, DataType accumulator) {
    assertThatThrownBy(() -> new Reduction(ReduceOp.SUM, element, accumulator))
        .hasMessage(
            "unfit accumulator: op=SUM, element=%s, accumulator=%s; use %s",
            element, accumulator, element.accumulator());
  }

  @Test
  void refusesOperandsOfAnotherShape() {
    Reduction sum = Reduction.of(ReduceOp.SUM, INT8);
    ElementArray two = ElementArray.zeros(INT8, 2);
    assertThatThrownBy(() -> sum.reduce(List.of(two, ElementArray.zeros(INT8, 3)), two))
        .hasMessage(
            "operands of a reduction differ: type=INT8, count=3, element=INT8, elements=2;"
                + " give views of one shape");
    assertThatThrownBy(() -> sum.reduce(List.of(ElementArray.zeros(FP8_E4M3, 2)), two))
        .hasMessageContaining("type=FP8_E4M3");
    assertThatThrownBy(() -> sum.reduce(List.of(two), ElementArray.zeros(FP8_E4M3, 2)))
        .hasMessageContaining("type=FP8_E4M3");
    assertThatThrownBy(() -> sum.reduce(List.of(), two))
        .hasMessage(
            "bad number of sources: count=0, most=16777216;"
                + " give at least one and split larger sets");
    assertThat(sum.finish(5, Reduction.MAX_SOURCES)).isEqualTo(5);
    assertThatThrownBy(() -> sum.finish(5, Reduction.MAX_SOURCES + 1))
        .hasMessageContaining("count=16777217");
  }
}
