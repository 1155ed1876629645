package dev.oriel.domain.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.hook.ContextField;
import dev.oriel.domain.hook.Hook;
import dev.oriel.domain.hook.HookExpr;
import dev.oriel.domain.hook.LibraryHooks;
import dev.oriel.domain.program.parse.FormParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HookFormTest {
  private static final String FORM =
      """
      form f
      param R <= 9
      input in[64]
      output out[64]
      scratch s[64]
      %s
      lane l: sm(32) {
        let x = 1
        move out[0] <- %s bytes 8
      }
      """;

  private static HookForm hook(String declaration, String applied) {
    Form form = FormParser.parse(FORM.formatted(declaration, applied));
    assertThat(FormParser.parse(FormPrinter.print(form))).isEqualTo(form);
    return AppliedHooks.of(form).iterator().next();
  }

  /** A shipped hook in its short form equals the one in its text, except for its name. */
  private static void isShipped(String call, Hook shipped) {
    String sources = shipped.sources().size() == 1 ? "h (in[0])" : "h (in[0], in[0])";
    HookForm named = hook("hook h = " + call, sources);
    assertThat(named.text()).isEqualTo(shipped.text().replace(shipped.name() + "(in0", "h(in0"));
    assertThat(named).isEqualTo(hook(named.text(), sources));
  }

  @Test
  void namesTheShippedHooks() {
    isShipped("copy(i8)", LibraryHooks.copy(DataType.INT8));
    isShipped("scale(bf16, -0.5)", LibraryHooks.scale(DataType.BF16, -0.5));
    isShipped("scale(f64, 1.5E-7)", LibraryHooks.scale(DataType.FP64, 1.5E-7));
    isShipped("transpose(f32, 2, 3)", LibraryHooks.transpose(DataType.FP32, 2, 3));
    isShipped("gather(f16, 9, 4)", LibraryHooks.gather(DataType.FP16, 9, 4));
    isShipped("accumulate(sum, bf16)", LibraryHooks.accumulate(ReduceOp.SUM, DataType.BF16));
    isShipped(
        "quantise(bf16, e4m3, 128)", LibraryHooks.quantise(DataType.BF16, DataType.FP8_E4M3, 128));
    isShipped("experts(4)", LibraryHooks.experts(4));
    isShipped(
        "dequantise(e5m2, f32, 64)", LibraryHooks.dequantise(DataType.FP8_E5M2, DataType.FP32, 64));
  }

  /** A larger value would overflow the stack as soon as forms are compared. */
  @Test
  void aValueIsNoLargerThanThatOfAHook() {
    HookExpr one = HookExpr.in(0, DataType.INT32);
    HookExpr many = one;
    for (int i = 0; i < 100_000; i++) {
      many = many.plus(one);
    }
    HookExpr value = many;
    List<HookForm.Source> sources =
        List.of(new HookForm.Source(DataType.INT32, MapForm.identity()));
    assertThatThrownBy(() -> new HookForm("h", sources, DataType.INT32, MapForm.identity(), value))
        .hasMessage(
            "hook expression too large: depth=65, deepest=64, nodes=65, most=1024; split the hook");
  }

  @Test
  void takesNumbersFromTheFormAndCommentsAnywhere() {
    HookForm turned =
        hook(
            "hook h(in0: i16 -- rows\n at transpose(rows=R + 1, columns=n * 2)) -> i16 = in0",
            "h (in[0])");
    assertThat(turned.sources().getFirst().map())
        .isEqualTo(new MapForm.Transpose(Expr.name("R").plus(1), Expr.world().times(2)));
    Hook bound =
        turned.bound(e -> e.equals(Expr.name("R").plus(1)) ? 4 : 6, 1, 3).with(HookFormTest::known);
    assertThat(bound)
        .isEqualTo(
            new Hook(
                "h",
                LibraryHooks.transpose(DataType.INT16, 4, 6).sources(),
                DataType.INT16,
                bound.target(),
                bound.value()));
  }

  @Test
  void aRanksHookKnowsRankAndWorld() {
    HookForm hook =
        hook(
            "hook h = scale(f32, 2.0)\nhook k(in0: i64) -> i64 = in0 + rank * world - count",
            "k (in[0])\n bytes 8 move out[8] <- h (in[0])");
    assertThat(hook.bound(HookFormTest::known, 3, 5).value().text())
        .isEqualTo("in0 + 3:i64 * 5:i64 - count");
  }

  @Test
  void aMovePassesPeerAndTile() {
    HookForm hook =
        hook(
            "hook h(in0: i64 at affine(offset=4 * tile, stride=1)) -> i64 to affine(offset=peer + R, stride=n) = in0 + peer",
            "h (in[0], peer=r + 1, tile=x)");
    assertThat(hook.asked()).containsExactly(ContextField.PEER, ContextField.TILE);
    assertThat(hook.target())
        .isEqualTo(new MapForm.Affine(Expr.name("peer").plus(Expr.name("R")), Expr.world()));
    HookForm bound = hook.bound(e -> e.equals(Expr.world()) ? 3 : 7, 2, 3);
    assertThat(bound.text())
        .isEqualTo(
            "hook h(in0: i64 at affine(offset=7 * tile, stride=7)) -> i64 to affine(offset=peer + 7, stride=3) = in0 + peer");
    HookOperands operands =
        new HookOperands(Map.of(ContextField.PEER, Expr.of(5), ContextField.TILE, Expr.name("x")));
    assertThat(bound.with(operands).text())
        .isEqualTo(
            "hook h(in0: i64 at affine(offset=7 * x, stride=7)) -> i64 to affine(offset=5 + 7, stride=3) = in0 + 5:i64");
  }

  /** One of them, a step, is a word of the language. */
  @ParameterizedTest
  @ValueSource(strings = {"peer", "tile", "slot", "step", "block", "role"})
  void eachFieldMayShiftAMap(String field) {
    HookForm hook =
        hook(
            "hook h(in0: i64 at affine(offset=2 * FIELD, stride=1)) -> i64 = in0 + FIELD"
                .replace("FIELD", field),
            "h (in[0], FIELD=1)".replace("FIELD", field));
    ContextField asked = HookOperands.field(field).orElseThrow();
    assertThat(hook.asked()).containsExactly(asked);
    assertThat(hook.with(new HookOperands(Map.of(asked, Expr.of(1)))).text())
        .isEqualTo("hook h(in0: i64 at affine(offset=2 * 1, stride=1)) -> i64 = in0 + 1:i64");
  }

  private static long known(Expr number) {
    return ((Expr.Const) number).value();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hook h = copy(f32) | k (in[0]) | unknown hook: line=9, column=18, found='k'; declare it in front of here, known: h
          hook h = copy(f32) | in[0] | hook without use: line=6, column=6, name=h; apply it, or leave it out
          hook h = copy(f32) hook h = copy(i8) | h (in[0]) | duplicated hook: line=6, column=25, name=h; give every hook its own name
          hook H = copy(f32) | H (in[0]) | not a hook: line=6, column=1, name=H; bad hook name: name=H; use up to 64 of a-z, 0-9 and _, a letter first
          hook h = copy(f32) | h (in[0], in[8]) | not the sources of the hook: line=9, column=3, lane=l, hook=h, given=2, declared=1; give one region for each
          hook h = copy(f32) | h (for q < 2: in[q * 8]) | run of sources for a hook: line=9, column=3, lane=l, hook=h, source=in0, run=q; name one region; a reduction takes runs
          hook h(in0: f32) -> f32 = in1 | h (in[0]) | undeclared source: line=6, column=27, found='in1'; declare it before the arrow
          hook h(in0: f32) -> i8 = in0 | h (in[0]) | not a hook: line=6, column=1, name=h; ill-typed operand: expression=in0, type=f32, expected=i8; convert it with i8(...)
          hook h(in0: f32) -> f32 = in0 +\\n 1.0:f64 | h (in[0]) | ill-typed operand: expression=1.0:f64, type=f64, expected=f32; convert it with f32(...) (line=6, column=31)
          hook h(in0: i64) -> i64 = in0 + slot | h (in[0]) | hook lacks a field that it reads: line=9, column=3, lane=l, hook=h, field=slot; write slot=... after its sources
          hook h(in0: i64) -> i64 = in0 + role | h (in[0], role=1, block=2) | hook has a field that it does not read: line=9, column=3, lane=l, hook=h, field=block; leave it out
          hook h(in0: i64) -> i64 = in0 + tile | h (in[0]) | hook lacks a field that it reads: line=9, column=3, lane=l, hook=h, field=tile; write tile=... after its sources
          hook h(in0: i64 at affine(offset=peer, stride=1)) -> i64 = in0 | h (in[0], tile=x) | hook lacks a field that it reads: line=9, column=3, lane=l, hook=h, field=peer; write peer=... after its sources
          hook h(in0: i64) -> i64 = in0 + tile | h (in[0], tile=x, peer=r) | hook has a field that it does not read: line=9, column=3, lane=l, hook=h, field=peer; leave it out
          hook h(in0: i64) -> i64 = in0 + tile | h (in[0], tile=x, tile=r) | field given twice: line=9, column=36, field=tile; leave one out
          hook h(in0: i64) -> i64 = in0 + tile | h (in[0], tile=x, in[0]) | unexpected text: line=9, column=36, found='in'; expected peer, tile, slot, step, block or role
          hook h(in0: i64) -> i64 = in0 + tile | h (in[0], tile=y) | unknown name: line=9, column=33, lane=l, name=y; known here: n, r, R, epoch, x
          hook h() -> i64 = i | h () | hook without sources: line=6, column=6, name=h; declare at least one, in0
          hook h(in0: i64 at blocks(size=tile)) -> i64 = in0 | h (in[0], tile=x) | number of a map hangs on the move: line=6, column=1, hook=h, number=tile; name peer, tile, slot, step, block and role in offsets alone
          hook h(in0: i64 at affine(offset=0, stride=peer)) -> i64 = in0 | h (in[0], peer=r) | number of a map hangs on the move: line=6, column=1, hook=h, number=peer; name peer, tile, slot, step, block and role in offsets alone
          hook h(in0: i64 at affine(offset=tile + x, stride=1)) -> i64 = in0 | h (in[0], tile=x) | unknown name: line=6, column=41, name=x; known here: n, r, R, tile
          hook h(in0: i64) -> i64 to affine(offset=1, stride=0) = in0 | h (in[0]) | not a hook: line=6, column=1, name=h; target writes an element twice: map=affine(offset=1, stride=0); use one element for each output
          hook h(in0: i64) -> i64 to blocks(size=2) = in0 | h (in[0]) | not a hook: line=6, column=1, name=h; target writes an element twice: map=blocks(size=2); use one element for each output
          hook h(in0: i32) -> i32 to gather(in0, rows=1, width=1) = in0 | h (in[0]) | unexpected text: line=6, column=28, found='gather'; expected affine, blocks, transpose or permutation
          hook h(in0: i32 -> i32 = in0 | h (in[0]) | unexpected text: line=6, column=17, found='->'; expected at, ',' or ')'
          hook h(in0: i32) -> i32 at blocks(size=1) = in0 | h (in[0]) | unexpected text: line=6, column=25, found='at'; expected to or '='
          hook h in0: i32 -> i32 = in0 | h (in[0]) | unexpected text: line=6, column=8, found='in0'; expected '=' or '('
          hook h(in0: f32) -> f32 to permutation(1, 0) = in0 | h (in[0]) bytes 8 move s[0] pkt8(1) <- h (in[0]) | packets at places of their own: line=9, column=36, lane=l, hook=h, to=permutation(1, 0); write plain bytes, or give the map to a source
          hook h(in0: f32 at blocks(size=x)) -> f32 = in0 | h (in[0]) | unknown name: line=6, column=32, name=x; known here: n, r, R
          hook h(in0: f32 at gather(in0, rows=1, width=1)) -> f32 = in0 | h (in[0]) | not a hook: line=6, column=1, name=h; unfit gather table: source=in0, table=in0, sources=1; name an i32 source that is not gathered itself
          hook h(in0: f32 at permutation(1, 1)) -> f32 = in0 | h (in[0]) | not a hook: line=6, column=1, name=h; not a permutation: entry=1, length=2; name each of 0 to 1 once
          hook h(in0: f32 at scatter(1)) -> f32 = in0 | h (in[0]) | unexpected text: line=6, column=20, found='scatter'; expected affine, blocks, transpose, permutation or gather
          hook h = quantise(bf16, f32, 1) | h (in[0], in[0]) | no quantisation between these types: wide=BF16, narrow=FP32; use FP32, FP16 or BF16 and a narrower float (line=6, column=10)
          hook h = relu(bf16) | h (in[0]) | unexpected text: line=6, column=10, found='relu'; expected copy, scale, transpose, gather, accumulate, quantise, dequantise or experts
          hook h = experts(0) | h (in[0]) | index map out of bounds: size=0, most=274877906944; keep it inside (line=6, column=10)
          """)
  void namesTheErrorOfAHook(String declaration, String applied, String message) {
    assertThatThrownBy(
            () -> FormParser.parse(FORM.formatted(declaration.replace("\\n", "\n"), applied)))
        .isInstanceOf(ProgramException.class)
        .hasMessage(message);
  }
}
