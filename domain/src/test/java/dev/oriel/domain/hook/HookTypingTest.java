package dev.oriel.domain.hook;

import static dev.oriel.domain.data.DataType.BF16;
import static dev.oriel.domain.data.DataType.FP32;
import static dev.oriel.domain.data.DataType.FP64;
import static dev.oriel.domain.data.DataType.FP8_E4M3;
import static dev.oriel.domain.data.DataType.INT32;
import static dev.oriel.domain.data.DataType.INT64;
import static dev.oriel.domain.data.DataType.INT8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HookTypingTest {

  private static final HookExpr BF = HookExpr.in(0, BF16);
  private static final HookExpr FLOAT = HookExpr.in(0, FP32);
  private static final HookExpr INT = HookExpr.in(0, INT32);

  private static void refused(Runnable build, String message) {
    assertThatThrownBy(build::run).hasMessage(message);
  }

  @Test
  void givesEveryExpressionItsType() {
    assertThat(HookExpr.index().type()).isEqualTo(INT64);
    assertThat(HookExpr.field(ContextField.RANK).type()).isEqualTo(INT64);
    assertThat(FLOAT.plus(FLOAT).type()).isEqualTo(FP32);
    assertThat(FLOAT.with(UnaryOp.NEG).type()).isEqualTo(FP32);
    assertThat(FLOAT.to(BF16).type()).isEqualTo(BF16);
    assertThat(FLOAT.to(FP32)).isSameAs(FLOAT);
    assertThat(HookExpr.fma(FLOAT, FLOAT, FLOAT).type()).isEqualTo(FP32);
    assertThat(HookExpr.select(INT, Relation.LT, INT, BF, BF).type()).isEqualTo(BF16);
    assertThat(HookExpr.constant(INT8, -3.7)).isEqualTo(new HookExpr.Const(INT8, -3));
  }

  @Test
  void storesConstantsInOneWay() {
    assertThat(new HookExpr.Const(INT8, 0x1FF).pattern()).isEqualTo(-1);
    assertThat(new HookExpr.Const(BF16, 0xFFC1).pattern()).isEqualTo(0x7FFF);
    assertThat(new HookExpr.Const(BF16, 0xFF80).pattern()).isEqualTo(0xFF80);
  }

  @Test
  void asksForAConversionBeforeArithmetic() {
    refused(
        () -> BF.times(BF),
        "ill-typed operand: expression=in0, type=bf16, expected=i32, i64, f32 or f64;"
            + " convert it with f32(...)");
    refused(
        () -> HookExpr.in(1, INT8).with(UnaryOp.ABS),
        "ill-typed operand: expression=in1, type=i8, expected=i32, i64, f32 or f64;"
            + " convert it with i32(...)");
    refused(
        () -> HookExpr.select(BF, Relation.EQ, BF, INT, INT),
        "ill-typed operand: expression=in0, type=bf16, expected=i32, i64, f32 or f64;"
            + " convert it with f32(...)");
  }

  @Test
  void asksForOneTypeOnBothSides() {
    refused(
        () -> FLOAT.plus(INT.plus(INT)),
        "ill-typed operand: expression=in0 + in0, type=i32, expected=f32;"
            + " convert it with f32(...)");
    refused(
        () -> HookExpr.select(FLOAT, Relation.EQ, INT, INT, INT),
        "ill-typed operand: expression=in0, type=i32, expected=f32; convert it with f32(...)");
    refused(
        () -> HookExpr.select(INT, Relation.EQ, INT, FLOAT, INT),
        "ill-typed operand: expression=in0, type=i32, expected=f32; convert it with f32(...)");
    HookExpr wide = FLOAT.to(FP64);
    String fmaMessage =
        "ill-typed operand: expression=f64(in0), type=f64, expected=f32;"
            + " convert it with f32(...)";
    refused(() -> HookExpr.fma(FLOAT, wide, FLOAT), fmaMessage);
    refused(() -> HookExpr.fma(FLOAT, FLOAT, wide), fmaMessage);
    refused(() -> new HookExpr.Fma(FP32, wide, FLOAT, FLOAT), fmaMessage);
    refused(() -> new HookExpr.Unary(FP32, UnaryOp.NEG, wide), fmaMessage);
    refused(() -> new HookExpr.Binary(FP32, BinaryOp.ADD, wide, FLOAT), fmaMessage);
    refused(() -> new HookExpr.Select(FP32, Relation.LT, INT, INT, wide, FLOAT), fmaMessage);
  }

  @Test
  void keepsBitsToIntegersAndFusionToFloats() {
    refused(
        () -> FLOAT.with(BinaryOp.AND, FLOAT),
        "ill-typed operand: expression=in0, type=f32, expected=i32 or i64;"
            + " convert it with i32(...)");
    refused(
        () -> FLOAT.with(UnaryOp.NOT),
        "ill-typed operand: expression=in0, type=f32, expected=i32 or i64;"
            + " convert it with i32(...)");
    refused(
        () -> HookExpr.fma(INT, INT, INT),
        "ill-typed operand: expression=in0, type=i32, expected=f32 or f64;"
            + " convert it with f32(...)");
    refused(
        () -> HookExpr.fma(BF, BF, BF),
        "ill-typed operand: expression=in0, type=bf16, expected=f32 or f64;"
            + " convert it with f32(...)");
    assertThat(INT.with(BinaryOp.SHL, INT).with(UnaryOp.NOT).type()).isEqualTo(INT32);
  }

  @Test
  void namesOnlyTheOutsideOfALargeOperand() {
    HookExpr large = FLOAT;
    for (int k = 0; k < 5000; k++) {
      large = large.plus(large);
    }
    HookExpr operand = large;
    assertThatThrownBy(() -> INT.plus(operand))
        .hasMessageContaining("expression=... + ... + (... + ...) + (... + ... + (... + ...)), ")
        .hasMessageEndingWith("type=f32, expected=i32; convert it with i32(...)");
    assertThatThrownBy(operand::text).hasMessageStartingWith("hook expression too large");
  }

  @Test
  void refusesSourcesThatNoHookHas() {
    assertThat(HookExpr.in(7, INT8).text()).isEqualTo("in7");
    refused(() -> HookExpr.in(8, INT8), "no such source: source=8, most=8; number sources from 0");
    refused(
        () -> HookExpr.in(-1, INT8), "no such source: source=-1, most=8; number sources from 0");
  }

  private static Hook hook(HookExpr value, HookSource... sources) {
    return Hook.of("h", List.of(sources), value);
  }

  @Test
  void asksForTheDeclaredTypesInAHook() {
    refused(() -> hook(FLOAT), "undeclared source: expression=in0, sources=0; declare it");
    refused(
        () -> hook(FLOAT.to(BF16), HookSource.of(BF16)),
        "source read as another type: expression=in0, type=f32, expected=bf16;"
            + " read it as declared");
    refused(
        () -> new Hook("h", List.of(HookSource.of(FP32)), FP8_E4M3, IndexMap.IDENTITY, FLOAT),
        "ill-typed operand: expression=in0, type=f32, expected=e4m3;"
            + " convert it with e4m3(...)");
  }

  @Test
  void boundsNamesAndSources() {
    List<HookSource> eight = Collections.nCopies(8, HookSource.of(FP32));
    assertThat(Hook.of("a".repeat(64), eight, FLOAT).sources()).hasSize(8);
    refused(
        () -> Hook.of("h", Collections.nCopies(9, HookSource.of(FP32)), FLOAT),
        "too many sources: sources=9, most=8; split the hook");
    refused(
        () -> Hook.of("a".repeat(65), eight, FLOAT),
        "bad hook name: name=%s; use up to 64 of a-z, 0-9 and _, a letter first"
            .formatted("a".repeat(64)));
    refused(
        () -> Hook.of("Aha", eight, FLOAT),
        "bad hook name: name=Aha; use up to 64 of a-z, 0-9 and _, a letter first");
  }

  @Test
  void boundsDepthAndNodes() {
    HookExpr deep = FLOAT;
    for (int k = 1; k < Hook.MAX_DEPTH; k++) {
      deep = deep.with(UnaryOp.NEG);
    }
    assertThat(hook(deep, HookSource.of(FP32)).value()).isSameAs(deep);
    HookExpr deeper = deep.with(UnaryOp.NEG);
    refused(
        () -> hook(deeper, HookSource.of(FP32)),
        "hook expression too large: depth=65, deepest=64, nodes=65, most=1024; split the hook");
    HookExpr broad = FLOAT;
    for (int k = 0; k < 9; k++) {
      broad = broad.plus(broad);
    }
    HookExpr most = broad.with(UnaryOp.NEG);
    assertThat(hook(most, HookSource.of(FP32)).value()).isSameAs(most);
    HookExpr tooMany = most.with(UnaryOp.NEG);
    refused(
        () -> hook(tooMany, HookSource.of(FP32)),
        "hook expression too large: depth=12, deepest=64, nodes=1025, most=1024;"
            + " split the hook");
  }

  @Test
  void wantsTablesOfPlainInts() {
    HookSource gathered = new HookSource(FP32, new IndexMap.Gather(1, 4, 1));
    String message =
        "unfit gather table: source=in0, table=in1, sources=%d;"
            + " name an i32 source that is not gathered itself";
    refused(() -> hook(FLOAT, gathered), message.formatted(1));
    refused(() -> hook(FLOAT, gathered, HookSource.of(INT64)), message.formatted(2));
    refused(
        () ->
            hook(
                FLOAT,
                gathered,
                new HookSource(INT32, new IndexMap.Gather(2, 1, 1)),
                HookSource.of(INT32)),
        message.formatted(3));
    assertThat(hook(FLOAT, gathered, HookSource.of(INT32)).result()).isEqualTo(FP32);
  }

  @Test
  void writesNoElementTwice() {
    Hook copy = LibraryHooks.copy(FP32);
    refused(
        () -> copy.into(new IndexMap.Affine(3, 0)),
        "target writes an element twice: map=affine(offset=3, stride=0);"
            + " use one element for each output");
    refused(
        () -> copy.into(new IndexMap.Blocks(2)),
        "target writes an element twice: map=blocks(size=2);" + " use one element for each output");
    assertThat(copy.into(new IndexMap.Blocks(1)).target()).isEqualTo(new IndexMap.Blocks(1));
    assertThat(copy.into(new IndexMap.Affine(9, -1)).name()).isEqualTo("copy");
    assertThat(copy.into(new IndexMap.Transpose(2, 3)).target().isInjective()).isTrue();
  }
}
