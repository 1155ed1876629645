package dev.oriel.domain.hook;

import static dev.oriel.domain.data.DataType.BF16;
import static dev.oriel.domain.data.DataType.FP16;
import static dev.oriel.domain.data.DataType.FP32;
import static dev.oriel.domain.data.DataType.FP64;
import static dev.oriel.domain.data.DataType.FP8_E4M3;
import static dev.oriel.domain.data.DataType.INT32;
import static dev.oriel.domain.data.DataType.INT8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.data.ReduceOp;
import org.junit.jupiter.api.Test;

class LibraryHooksTest {

  @Test
  void parsesAsDocumented() {
    assertThat(LibraryHooks.copy(INT8).text()).isEqualTo("hook copy(in0: i8) -> i8 = in0");
    assertThat(LibraryHooks.scale(BF16, 0.5).text())
        .isEqualTo("hook scale(in0: bf16) -> bf16 = bf16(f32(in0) * 0.5:f32)");
    assertThat(LibraryHooks.scale(FP64, 3).text())
        .isEqualTo("hook scale(in0: f64) -> f64 = in0 * 3.0:f64");
    assertThat(LibraryHooks.transpose(FP32, 2, 3).text())
        .isEqualTo("hook transpose(in0: f32 at transpose(rows=2, columns=3)) -> f32 = in0");
    assertThat(LibraryHooks.gather(FP16, 9, 4).text())
        .isEqualTo(
            "hook gather(in0: f16 at gather(in1, rows=9, width=4), in1: i32 at blocks(size=4))"
                + " -> f16 = in0");
    assertThat(LibraryHooks.quantise(BF16, FP8_E4M3, 128).text())
        .isEqualTo(
            "hook quantise(in0: bf16, in1: f32 at blocks(size=128)) -> e4m3"
                + " = e4m3(f32(in0) / in1)");
    assertThat(LibraryHooks.dequantise(FP8_E4M3, BF16, 128).text())
        .isEqualTo(
            "hook dequantise(in0: e4m3, in1: f32 at blocks(size=128)) -> bf16"
                + " = bf16(f32(in0) * in1)");
    assertThat(LibraryHooks.quantise(FP32, BF16, 1).result()).isEqualTo(BF16);
  }

  @Test
  void accumulatesOntoExistingValues() {
    String text = "hook accumulate(in0: bf16, in1: bf16) -> bf16 = bf16(%s)";
    assertThat(LibraryHooks.accumulate(ReduceOp.SUM, BF16).text())
        .isEqualTo(text.formatted("f32(in1) + f32(in0)"));
    assertThat(LibraryHooks.accumulate(ReduceOp.PROD, BF16).text())
        .isEqualTo(text.formatted("f32(in1) * f32(in0)"));
    assertThat(LibraryHooks.accumulate(ReduceOp.MIN, BF16).text())
        .isEqualTo(text.formatted("min(f32(in1), f32(in0))"));
    assertThat(LibraryHooks.accumulate(ReduceOp.MAX, BF16).text())
        .isEqualTo(text.formatted("max(f32(in1), f32(in0))"));
    assertThatThrownBy(() -> LibraryHooks.accumulate(ReduceOp.AVG, BF16))
        .hasMessage("no accumulation of averages: op=AVG; accumulate SUM, then scale once");
  }

  @Test
  void refusesTypesThatDoNotFit() {
    assertThatThrownBy(() -> LibraryHooks.scale(INT32, 2))
        .hasMessage("no scaling of integers: type=INT32; write the product as an expression");
    assertThatThrownBy(() -> LibraryHooks.quantise(FP64, BF16, 1))
        .hasMessage(
            "no quantisation between these types: wide=FP64, narrow=BF16;"
                + " use FP32, FP16 or BF16 and a narrower float");
    assertThatThrownBy(() -> LibraryHooks.quantise(FP32, INT8, 1))
        .hasMessageContaining("narrow=INT8");
    assertThatThrownBy(() -> LibraryHooks.quantise(INT32, BF16, 1))
        .hasMessageContaining("wide=INT32");
    assertThatThrownBy(() -> LibraryHooks.quantise(BF16, FP16, 1))
        .hasMessageContaining("narrow=FP16");
    assertThatThrownBy(() -> LibraryHooks.dequantise(BF16, FP8_E4M3, 1))
        .hasMessageContaining("wide=FP8_E4M3, narrow=BF16");
  }
}
