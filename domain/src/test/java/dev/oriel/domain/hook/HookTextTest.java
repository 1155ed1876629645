package dev.oriel.domain.hook;

import static dev.oriel.domain.data.DataType.FP32;
import static dev.oriel.domain.data.DataType.FP8_E5M2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HookTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hook iota() -> i64 = i",
        "hook copy(in0: bf16) -> bf16 = in0",
        "hook place(in0: f64) -> f64 to permutation(2, 0, 1) = in0",
        "hook back(in0: i8 at affine(offset=7, stride=-1)) -> i8 to transpose(rows=2, columns=4)"
            + " = in0",
        "hook rows(in0: f16 at gather(in1, rows=9, width=4), in1: i32 at blocks(size=4)) -> f16"
            + " = in0",
        "hook where() -> i64 = rank + peer * world - tile / slot % step << count",
        "hook logic() -> i64 = (i | rank) & i ^ (i ^ rank & i | i)",
        "hook sums(in0: f32) -> f32 = in0 - (in0 - in0) - in0 * (in0 / in0) / (in0 + in0)",
        "hook calls(in0: f32) -> f32 = fma(neg(in0), abs(in0), min(in0, max(in0, in0)))",
        "hook pick(in0: i32) -> i32 = select(in0 + in0 <= not(in0), in0 >> 3:i32, -1:i32)",
        "hook literals() -> e4m3 = e4m3(-0.0:f32 + 1.5:f32 + 1.0E-5:f32 + nan:f32 + -inf:f32)",
        "hook huge() -> i64 = -9223372036854775808:i64 + 9223372036854775807:i64",
        "hook eight() -> e5m2 = -inf:e5m2",
        "hook most() -> e4m3 = 448.0:e4m3"
      })
  void printsWhatItRead(String text) {
    Hook hook = Hook.parse(text);
    assertThat(hook.text()).isEqualTo(text);
    assertThat(Hook.parse(hook.text())).isEqualTo(hook);
  }

  @Test
  void bindsAsArithmeticDoesAndToTheLeft() {
    String body = Hook.parse("hook h() -> i64 = ((i)) + (rank * i) - (i & i) & i << 1:i64").text();
    assertThat(body).isEqualTo("hook h() -> i64 = i + rank * i - (i & i) & i << 1:i64");
    HookExpr i = HookExpr.index();
    assertThat(Hook.parse("hook h() -> i64 = i - i - i").value()).isEqualTo(i.minus(i).minus(i));
    assertThat(Hook.parse("hook h() -> i64 = i + i % i").value())
        .isEqualTo(i.plus(i.with(BinaryOp.REM, i)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"<", "<=", ">", ">=", "==", "!="})
  void readsEveryRelation(String relation) {
    String text = "hook h() -> i64 = select(i %s rank, i, rank)".formatted(relation);
    assertThat(Hook.parse(text).text()).isEqualTo(text);
  }

  @Test
  void skipsBlanksAndComments() {
    String text =
        """
        # what it does
        hook scale(in0: f32)   # one source
            -> f32
          = in0*2e0:f32#end\
        """;
    assertThat(Hook.parse(text)).isEqualTo(LibraryHooks.scale(FP32, 2));
    assertThat(Hook.parse(text.replace("\n", "\r\n\t"))).isEqualTo(LibraryHooks.scale(FP32, 2));
  }

  @Test
  void readsTheNearestValueOfALiteral() {
    HookExpr tenth = Hook.parse("hook h() -> f32 = 0.1:f32").value();
    assertThat(tenth).isEqualTo(HookExpr.constant(FP32, 0.1f));
    assertThat(tenth.text()).isEqualTo("0.1:f32");
    // Just above a midpoint of FP32 by less than FP64 holds: going through FP64 would tie to even.
    String aboveTie = "1.00000005960464477539062500000000000001";
    assertThat(Hook.parse("hook h() -> f32 = " + aboveTie + ":f32").value())
        .isEqualTo(HookExpr.constant(FP32, Math.nextUp(1f)));
    assertThat(Hook.parse("hook h() -> f64 = 0.1:f64").text()).endsWith("= 0.1:f64");
    assertThat(Hook.parse("hook h() -> bf16 = 0.1:bf16").text()).endsWith("= 0.10009765625:bf16");
    assertThat(Hook.parse("hook h() -> e5m2 = inf:e5m2").value())
        .isEqualTo(new HookExpr.Const(FP8_E5M2, 0x7C));
    assertThat(Hook.parse("hook h() -> f16 = inf:f16").text()).endsWith("= inf:f16");
    assertThat(Hook.parse("hook h() -> i8 = -128:i8").text()).endsWith("= -128:i8");
    assertThat(Hook.parse("hook h() -> e4m3 = -448:e4m3").text()).endsWith("= -448.0:e4m3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "hok h() -> i64 = i | 1 | 1 | unexpected text in a hook: line=1, column=1, found='hok'; write 'hook'",
        "hook h( | 1 | 8 | unexpected text in a hook: line=1, column=8, found=the end; write 'in0'",
        "hook 3() -> i64 = i | 1 | 6 | unexpected text in a hook: line=1, column=6, found='3'; write the hook's name",
        "hook h(in1: f32) -> f32 = in1 | 1 | 8 | unexpected text in a hook: line=1, column=8, found='in1'; write 'in0'",
        "hook h(in0: f8) -> f32 = in0 | 1 | 13 | unexpected text in a hook: line=1, column=13, found='f8'; write a type such as bf16",
        "hook h(in0: f32 at heap(1)) -> f32 = in0 | 1 | 20 | unexpected text in a hook: line=1, column=20, found='heap'; write affine, blocks, transpose, permutation or gather",
        "hook h(in0: f32 at gather(i, rows=1, width=1)) -> f32 = in0 | 1 | 27 | unexpected text in a hook: line=1, column=27, found='i'; write a source such as in0",
        "hook h() -> i64 to gather(in0, rows=1, width=1) = i | 1 | 20 | unexpected text in a hook: line=1, column=20, found='gather'; write affine, blocks, transpose or permutation",
        "hook h() -> i64 = i i | 1 | 21 | unexpected text in a hook: line=1, column=21, found='i'; write nothing more",
        "hook h() -> i64 = i + $ | 1 | 23 | unknown character in a hook: line=1, column=23, found='$'; remove it",
        "hook h() -> i64 = i + ) | 1 | 23 | unexpected text in a hook: line=1, column=23, found=')'; write an operand such as in0, i, rank or 1.0:f32",
        "hook h() -> i64 = -rank | 1 | 19 | unexpected text in a hook: line=1, column=19, found='-'; write an operand such as in0, i, rank or 1.0:f32",
        "hook h() -> i64 = j | 1 | 19 | unexpected text in a hook: line=1, column=19, found='j'; write an operand such as in0, i, rank or 1.0:f32",
        "hook h() -> i64 = half(i) | 1 | 19 | unexpected text in a hook: line=1, column=19, found='half'; write a function such as max, or a type",
        "hook h() -> i64 = maxx(i, 1:i64) | 1 | 19 | unexpected text in a hook: line=1, column=19, found='maxx'; did you mean max?",
        "hook h() -> i64 = rnak | 1 | 19 | unexpected text in a hook: line=1, column=19, found='rnak'; did you mean rank?",
        "hook h() -> i64 = select(i = i, i, i) | 1 | 28 | unexpected text in a hook: line=1, column=28, found='='; write a comparison such as <",
        "hook h() -> i64 = min(i) | 1 | 24 | unexpected text in a hook: line=1, column=24, found=')'; write ','",
        "hook h() -> i64 = 1.5:i64 | 1 | 19 | not a whole number: line=1, column=19, found='1.5'; write up to 64 bits of digits",
        "hook h() -> i64 = 9223372036854775808:i64 | 1 | 19 | not a whole number: line=1, column=19, found='9223372036854775808'; write up to 64 bits of digits",
        "hook h() -> i8 = 128:i8 | 1 | 18 | literal outside its type: line=1, column=18, found='128', type=i8; use a wider type",
        "hook h() -> e4m3 = 448.01:e4m3 | 1 | 20 | literal outside its type: line=1, column=20, found='448.01', type=e4m3; use a wider type",
        "hook h() -> f16 = -1e5:f16 | 1 | 20 | literal outside its type: line=1, column=20, found='1e5', type=f16; use a wider type",
        "hook h() -> e4m3 = inf:e4m3 | 1 | 20 | literal outside its type: line=1, column=20, found='inf', type=e4m3; use a wider type",
        "hook h() -> i32 = inf:i32 | 1 | 19 | literal outside its type: line=1, column=19, found='inf', type=i32; use a wider type",
        "hook h() -> f32 = 3.5e38:f32 | 1 | 19 | literal outside its type: line=1, column=19, found='3.5e38', type=f32; use a wider type",
        "hook h() -> i64 = 1:f8 | 1 | 21 | unexpected text in a hook: line=1, column=21, found='f8'; write a type such as f32",
        "hook h() -> i64 = in0 | 1 | 19 | undeclared source: line=1, column=19, found='in0'; declare it before the arrow",
      })
  void namesThePlaceAndTheError(String text, int line, int column, String message) {
    HookSyntaxException refused =
        catchThrowableOfType(HookSyntaxException.class, () -> Hook.parse(text));
    assertThat(refused).hasMessage(message);
    assertThat(List.of(refused.line(), refused.column())).containsExactly(line, column);
  }

  @Test
  void givesBrokenRulesTheirPlaceToo() {
    HookSyntaxException refused =
        catchThrowableOfType(
            HookSyntaxException.class,
            () -> Hook.parse("hook h(in0: bf16)\n  -> bf16 =\n  bf16(in0 * in0)"));
    assertThat(refused)
        .hasMessage(
            "ill-typed operand: expression=in0, type=bf16, expected=i32, i64, f32 or f64;"
                + " convert it with f32(...) (line=3, column=12)");
    assertThat(List.of(refused.line(), refused.column())).containsExactly(3, 12);
  }

  @Test
  void countsColumnsFromEachNewLine() {
    HookSyntaxException odd =
        catchThrowableOfType(HookSyntaxException.class, () -> Hook.parse("hook\n\n  h $"));
    assertThat(List.of(odd.line(), odd.column())).containsExactly(3, 5);
    HookSyntaxException end =
        catchThrowableOfType(HookSyntaxException.class, () -> Hook.parse("hook\n  h\n "));
    assertThat(List.of(end.line(), end.column())).containsExactly(3, 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hook h() -> i32 = i | 6",
        "hook H() -> i64 = i | 6",
        "hook h(in0: f32 at affine(offset=0, stride=99999999)) -> f32 = in0 | 20",
        "hook h(in0: f32 at blocks(size=0)) -> f32 = in0 | 20",
        "hook h(in0: f32 at transpose(rows=0, columns=1)) -> f32 = in0 | 20",
        "hook h(in0: f32 at permutation(0, 0)) -> f32 = in0 | 20",
        "hook h(in0: f32 at permutation(0, -99999999999)) -> f32 = in0 | 20",
        "hook h(in0: f32 at permutation(0, 99999999999)) -> f32 = in0 | 20",
        "hook h(in0: f32 at gather(in1, rows=0, width=1)) -> f32 = in0 | 20",
        "hook h(in0: f32 at gather(in9, rows=1, width=1)) -> f32 = in0 | 20",
        "hook h(in0: f32) -> f32 = not(in0) | 27",
        "hook h(in0: f32) -> f32 = neg(i8(in0)) | 27",
        "hook h(in0: f32) -> f32 = abs(i8(in0)) | 27",
        "hook h(in0: f32) -> f32 = max(in0, i) | 27",
        "hook h(in0: f32) -> f32 = fma(in0, i, i) | 27",
        "hook h(in0: f32) -> f32 = select(in0 < i, in0, in0) | 27"
      })
  void findsTheColumnOfABrokenRule(String text, int column) {
    HookSyntaxException refused =
        catchThrowableOfType(HookSyntaxException.class, () -> Hook.parse(text));
    assertThat(refused.column()).isEqualTo(column);
    assertThat(refused).hasMessageEndingWith("(line=1, column=%d)", column);
  }

  @Test
  void boundsNestingAndLength() {
    String nested = "hook h() -> i64 = %si%s";
    assertThat(Hook.parse(nested.formatted("(".repeat(63), ")".repeat(63))).text())
        .isEqualTo("hook h() -> i64 = i");
    assertThatThrownBy(() -> Hook.parse(nested.formatted("(".repeat(64), ")".repeat(64))))
        .hasMessage("hook expression too deep: line=1, column=83, deepest=64; split the hook");
    assertThatThrownBy(() -> Hook.parse("hook h() -> i64 = i" + " + i".repeat(9999)))
        .hasMessageStartingWith("hook expression too large: depth=65, deepest=64");
    assertThat(Hook.parse("hook h() -> i64 = i" + " ".repeat(65536 - 19)).name()).isEqualTo("h");
    assertThatThrownBy(() -> Hook.parse(" ".repeat(65537)))
        .hasMessage("hook text too long: length=65537, most=65536; split the hook");
  }

  @Test
  void refusesMoreSourcesThanAHookHas() {
    StringBuilder text = new StringBuilder("hook h(in0: f32");
    for (int k = 1; k < 12; k++) {
      text.append(", in").append(k).append(": f32");
    }
    assertThatThrownBy(() -> Hook.parse(text + ") -> f32 = in0"))
        .hasMessage("too many sources: sources=12, most=8; split the hook (line=1, column=6)");
    assertThatThrownBy(() -> Hook.parse(text + ") -> f32 = in9"))
        .hasMessageStartingWith("no such source: source=9, most=8");
  }
}
