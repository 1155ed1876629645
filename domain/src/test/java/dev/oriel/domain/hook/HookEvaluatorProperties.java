package dev.oriel.domain.hook;

import static dev.oriel.domain.data.DataType.BF16;
import static dev.oriel.domain.data.DataType.FP16;
import static dev.oriel.domain.data.DataType.FP32;
import static dev.oriel.domain.data.DataType.FP8_E4M3;
import static dev.oriel.domain.data.DataType.INT32;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.data.Conversion;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ElementArray;
import dev.oriel.domain.data.ReduceOp;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class HookEvaluatorProperties {

  private static ElementArray run(Hook hook, int count, ElementArray... sources) {
    ElementArray out = ElementArray.zeros(hook.result(), count);
    List<HookArray> arrays = List.of(sources).stream().map(HookArray::of).toList();
    HookEvaluator.apply(hook, HookContext.ZERO, arrays, HookArray.of(out), 0, count);
    return out;
  }

  @Property
  void transposesAsTwoLoopsDo(
      @ForAll @IntRange(min = 1, max = 9) int rows,
      @ForAll @IntRange(min = 1, max = 9) int columns,
      @ForAll @Size(81) byte[] bytes) {
    ElementArray in = ElementArray.of(DataType.INT8, bytes);
    ElementArray out =
        run(LibraryHooks.transpose(DataType.INT8, rows, columns), rows * columns, in);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        assertThat(out.get(column * rows + row)).isEqualTo(in.get(row * columns + column));
      }
    }
  }

  @Property
  void gathersAsTwoLoopsDo(
      @ForAll @IntRange(min = 1, max = 6) int width,
      @ForAll @Size(max = 6) List<@IntRange(max = 7) Integer> table,
      @ForAll @Size(96) byte[] bytes) {
    ElementArray in = ElementArray.of(FP16, bytes);
    ElementArray rows = ElementArray.zeros(INT32, table.size());
    for (int k = 0; k < table.size(); k++) {
      rows.set(k, table.get(k));
    }
    ElementArray out = run(LibraryHooks.gather(FP16, 8, width), table.size() * width, in, rows);
    for (int k = 0; k < table.size(); k++) {
      for (int c = 0; c < width; c++) {
        assertThat(out.get(k * width + c)).isEqualTo(in.get(table.get(k) * width + c));
      }
    }
  }

  @Property
  void accumulatesAsAFloatLoopDoes(@ForAll @Size(16) byte[] left, @ForAll @Size(16) byte[] right) {
    ElementArray arrived = ElementArray.of(FP16, left);
    ElementArray there = ElementArray.of(FP16, right);
    ElementArray out = run(LibraryHooks.accumulate(ReduceOp.SUM, FP16), 8, arrived, there);
    for (int i = 0; i < 8; i++) {
      float sum =
          Float.float16ToFloat((short) there.get(i)) + Float.float16ToFloat((short) arrived.get(i));
      assertThat(Conversion.same(FP16, out.get(i), Float.floatToFloat16(sum) & 0xFFFF)).isTrue();
    }
  }

  @Property
  void quantisesByBlocksAsAFloatLoopDoes(
      @ForAll @IntRange(min = 1, max = 5) int block,
      @ForAll @Size(20) byte[] values,
      @ForAll @Size(40) byte[] scales) {
    ElementArray in = ElementArray.of(BF16, values);
    ElementArray scale = ElementArray.of(FP32, scales);
    ElementArray narrow = run(LibraryHooks.quantise(BF16, FP8_E4M3, block), 10, in, scale);
    ElementArray wide = run(LibraryHooks.dequantise(FP8_E4M3, BF16, block), 10, narrow, scale);
    for (int i = 0; i < 10; i++) {
      float factor = Float.intBitsToFloat((int) scale.get(i / block));
      float value = Float.intBitsToFloat((int) in.get(i) << 16);
      assertThat(narrow.get(i)).isEqualTo(Conversion.ofDouble(FP8_E4M3, value / factor));
      float back = (float) Conversion.toDouble(FP8_E4M3, narrow.get(i)) * factor;
      assertThat(wide.get(i)).isEqualTo(Conversion.ofDouble(BF16, back));
    }
  }

  @Property
  void copiesEveryBitOfEveryPattern(@ForAll @Size(64) byte[] bytes) {
    for (DataType type : DataType.values()) {
      byte[] out = new byte[64];
      HookEvaluator.apply(
          LibraryHooks.copy(type),
          HookContext.ZERO,
          List.of(HookArray.of(ElementArray.of(type, bytes))),
          HookArray.of(ElementArray.of(type, out)),
          0,
          64 / type.bytes());
      assertThat(out).isEqualTo(bytes);
    }
  }

  @Property
  void givesTheSameTileByTileAsAtOnce(
      @ForAll @Size(max = 120) List<Integer> tape,
      @ForAll @Size(512) byte[] bytes,
      @ForAll @IntRange(max = 12) int cut) {
    Hook hook = ExpressionTape.hook(tape);
    List<HookArray> sources = new ArrayList<>();
    for (HookSource source : hook.sources().subList(0, 3)) {
      sources.add(HookArray.of(ElementArray.of(source.type(), bytes)));
    }
    ElementArray table = ElementArray.zeros(INT32, 64);
    for (int k = 0; k < 64; k++) {
      table.set(k, Math.floorMod(bytes[k], 5));
    }
    sources.add(HookArray.of(table));
    HookContext context = HookContext.ZERO.with(ContextField.WORLD, 4);
    ElementArray whole = ElementArray.zeros(hook.result(), 12);
    ElementArray tiled = ElementArray.zeros(hook.result(), 12);
    try {
      HookEvaluator.apply(hook, context, sources, HookArray.of(whole), 0, 12);
    } catch (IllegalArgumentException refused) {
      // A map that leaves its array is refused by name, and tile by tile as well.
      assertThat(refused).hasMessageStartingWith("source index out of range");
      return;
    }
    HookEvaluator.apply(hook, context, sources, HookArray.of(tiled), cut, 12 - cut);
    HookEvaluator.apply(hook, context, sources, HookArray.of(tiled), 0, cut);
    for (int i = 0; i < 12; i++) {
      assertThat(tiled.get(i)).isEqualTo(whole.get(i));
    }
  }
}
