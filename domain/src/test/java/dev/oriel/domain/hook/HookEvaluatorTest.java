package dev.oriel.domain.hook;

import static dev.oriel.domain.data.DataType.FP32;
import static dev.oriel.domain.data.DataType.INT32;
import static dev.oriel.domain.data.DataType.INT64;
import static dev.oriel.domain.data.DataType.INT8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.data.Conversion;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ElementArray;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HookEvaluatorTest {

  private static ElementArray elements(DataType type, double... values) {
    ElementArray elements = ElementArray.zeros(type, values.length);
    for (int i = 0; i < values.length; i++) {
      elements.set(i, Conversion.ofDouble(type, values[i]));
    }
    return elements;
  }

  private static HookArray array(DataType type, double... values) {
    return HookArray.of(elements(type, values));
  }

  private static List<Long> longs(ElementArray elements) {
    return IntStream.range(0, elements.count()).mapToObj(elements::get).toList();
  }

  private static List<Long> run(Hook hook, int count, HookArray... sources) {
    ElementArray out = ElementArray.zeros(hook.result(), count);
    HookContext context = HookContext.ZERO.with(ContextField.RANK, 2).with(ContextField.STEP, 5);
    HookEvaluator.apply(hook, context, List.of(sources), HookArray.of(out), 0, count);
    return longs(out);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "in0 | 7",
        "i32(i) | 1",
        "i32(rank * 10:i64 + step) | 25",
        "in0 - in1 * 2:i32 | 13",
        "in0 % 4:i32 | 3",
        "neg(in0) / 2:i32 | -3",
        "abs(in1) | 3",
        "not(in0) | -8",
        "min(in0, in1) | -3",
        "max(in0, in1) | 7",
        "in0 & 3:i32 | 3",
        "in0 ^ 5:i32 | 2",
        "in0 | 7",
        "in0 << 2:i32 | 28",
        "in1 >> 1:i32 | -2",
        "select(in0 < in1, 1:i32, 2:i32) | 2",
        "select(in0 > in1, 1:i32, 2:i32) | 1",
        "i32(fma(f32(in0), f32(in1), 0.5:f32)) | -20",
        "i32(f32(in0) / f32(in1) * 3.0:f32) | -7",
        "i32(i8(in0 * 100:i32)) | -68",
        "i32(e4m3(f32(in0) * 100.0:f32)) | 448"
      })
  void computesTheWrittenExpression(String expression, long expected) {
    Hook hook = Hook.parse("hook h(in0: i32, in1: i32) -> i32 = " + expression);
    assertThat(run(hook, 2, array(INT32, 0, 7), array(INT32, 0, -3)).get(1)).isEqualTo(expected);
  }

  @Test
  void fusesOnlyWhereWritten() {
    HookArray in = array(FP32, 1 + 0x1p-12);
    String plain = "hook h(in0: f32) -> f32 = in0 * in0 + -1.0:f32";
    String fused = "hook h(in0: f32) -> f32 = fma(in0, in0, -1.0:f32)";
    assertThat(run(Hook.parse(plain), 1, in)).containsExactly(Conversion.ofDouble(FP32, 0x1p-11));
    assertThat(run(Hook.parse(fused), 1, in))
        .containsExactly(Conversion.ofDouble(FP32, 0x1p-11 + 0x1p-24));
  }

  @Test
  void placesOutputsByTheTarget() {
    Hook hook = LibraryHooks.copy(INT8).into(new IndexMap.Affine(2, -1));
    assertThat(run(hook, 3, array(INT8, 1, 2, 3))).containsExactly(3L, 2L, 1L);
  }

  @Test
  void runsATileWithTheIndicesOfTheWhole() {
    Hook hook = Hook.parse("hook h(in0: i64) -> i64 = in0 * 10:i64 + i");
    ElementArray out = elements(INT64, -1, -1, -1, -1);
    HookArray source = new HookArray(elements(INT64, 1, 2, 3), 100);
    HookEvaluator.apply(hook, HookContext.ZERO, List.of(source), new HookArray(out, 99), 101, 2);
    assertThat(longs(out)).containsExactly(-1L, -1L, 121L, 132L);
    HookEvaluator.apply(hook, HookContext.ZERO, List.of(source), new HookArray(out, 99), 7, 0);
    assertThat(longs(out)).containsExactly(-1L, -1L, 121L, 132L);
  }

  @Test
  void worksInPlaceIfEachElementReadsItself() {
    Hook twice = Hook.parse("hook h(in0: i32) -> f32 = f32(in0 + in0)");
    byte[] bytes = new byte[8];
    ElementArray in = ElementArray.of(INT32, bytes);
    in.set(0, 3);
    in.set(1, 4);
    ElementArray out = ElementArray.of(FP32, bytes);
    HookEvaluator.apply(
        twice, HookContext.ZERO, List.of(HookArray.of(in)), HookArray.of(out), 0, 2);
    assertThat(longs(out))
        .containsExactly(Conversion.ofDouble(FP32, 6), Conversion.ofDouble(FP32, 8));
  }

  @Test
  void refusesEveryOtherSharing() {
    byte[] bytes = new byte[16];
    ElementArray all = ElementArray.of(INT8, bytes);
    Hook copy = LibraryHooks.copy(INT8);
    String message = "output overlaps a source: hook=copy, source=in0; give it memory of its own";
    assertThatThrownBy(() -> apply(copy, HookArray.of(ElementArray.of(INT8, bytes, 1, 4)), all))
        .hasMessage(message);
    assertThatThrownBy(() -> apply(copy, new HookArray(all, 1), all)).hasMessage(message);
    assertThatThrownBy(() -> apply(copy.into(new IndexMap.Affine(3, -1)), HookArray.of(all), all))
        .hasMessage(message);
  }

  private static void apply(Hook hook, HookArray source, ElementArray out) {
    HookEvaluator.apply(hook, HookContext.ZERO, List.of(source), HookArray.of(out), 0, 4);
  }

  @Test
  void refusesIndicesOutsideAnArrayAndNamesThem() {
    Hook copy = LibraryHooks.copy(INT8);
    HookArray four = array(INT8, 1, 2, 3, 4);
    assertThatThrownBy(() -> run(copy, 5, four))
        .hasMessage(
            "source index out of range: hook=copy, array=in0, i=4, index=4, origin=0, count=4;"
                + " give a longer array or shorten the range");
    assertThatThrownBy(() -> run(copy, 1, new HookArray(elements(INT8, 1), 1)))
        .hasMessageContaining("i=0, index=0, origin=1, count=1");
    assertThatThrownBy(() -> run(copy.into(new IndexMap.Affine(1, 1)), 4, four))
        .hasMessage(
            "output index out of range: hook=copy, array=out, i=3, index=4, origin=0, count=4;"
                + " give a longer array or shorten the range");
    assertThatThrownBy(() -> run(copy.into(new IndexMap.Affine(0, -1)), 4, four))
        .hasMessageContaining("i=1, index=-1");
  }

  @Test
  void refusesAGatherRowBeforeItIsUsed() {
    Hook gather = LibraryHooks.gather(INT8, 2, 2);
    HookArray rows = array(INT8, 1, 2, 3, 4, 5, 6);
    assertThat(run(gather, 4, rows, array(INT32, 1, 0))).containsExactly(3L, 4L, 1L, 2L);
    for (int bad : new int[] {-1, 2}) {
      assertThatThrownBy(() -> run(gather, 4, rows, array(INT32, 0, bad)))
          .hasMessage(
              "gather row out of range: hook=gather, source=in0, table=in1, i=2, row=%d, rows=2;"
                  + " mend the table",
              bad);
    }
  }

  @Test
  void readsEverySourceEvenWhereASelectDropsIt() {
    Hook hook = Hook.parse("hook h(in0: i32, in1: i32) -> i32 = select(i < 1:i64, in0, in1)");
    assertThat(run(hook, 2, array(INT32, 1, 2), array(INT32, 3, 4))).containsExactly(1L, 4L);
    assertThatThrownBy(() -> run(hook, 2, array(INT32, 1), array(INT32, 3, 4)))
        .hasMessageContaining("array=in0, i=1");
  }

  @Test
  void refusesArraysOfAnotherShape() {
    Hook copy = LibraryHooks.copy(INT8);
    assertThatThrownBy(() -> run(copy, 1))
        .hasMessage(
            "wrong number of sources: hook=copy, given=0, declared=1; give each declared one");
    assertThatThrownBy(() -> run(copy, 1, array(INT32, 1)))
        .hasMessage(
            "source of another type: hook=copy, source=in0, type=INT32, expected=INT8;"
                + " give one of that type");
    assertThatThrownBy(() -> apply(copy, array(INT8, 1), ElementArray.zeros(INT32, 4)))
        .hasMessage(
            "output of another type: hook=copy, type=INT32, expected=INT8;"
                + " give one of that type");
  }

  @Test
  void boundsRangesAndOrigins() {
    Hook iota = Hook.parse("hook iota() -> i64 = i");
    ElementArray out = ElementArray.zeros(INT64, 1);
    long last = IndexMap.MAX_INDEX - 1;
    HookEvaluator.apply(iota, HookContext.ZERO, List.of(), new HookArray(out, last), last, 1);
    assertThat(out.get(0)).isEqualTo(last);
    for (long[] bad : new long[][] {{-1, 1}, {0, -1}, {last, 2}}) {
      assertThatThrownBy(() ->
              HookEvaluator.apply(
                  iota, HookContext.ZERO, List.of(), HookArray.of(out), bad[0], bad[1]))
          .hasMessage(
              "bad range of outputs: first=%d, count=%d, most=274877906944; stay inside",
              bad[0], bad[1]);
    }
    assertThat(new HookArray(out, IndexMap.MAX_INDEX).origin()).isEqualTo(1L << 38);
    assertThatThrownBy(() -> new HookArray(out, -1))
        .hasMessage("bad origin: origin=-1, most=274877906944; count elements from 0");
    assertThatThrownBy(() -> new HookArray(out, IndexMap.MAX_INDEX + 1))
        .hasMessageContaining("origin=274877906945");
  }
}
