package dev.oriel.domain.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttachedHookTest {
  private static final String PUSH =
      """
      form push
      param B <= 64
      input in[n * B]
      input size[8]
      output out[n * B]
      output kept[B]
      scratch stage[n * B]
      barrier all_in
      ensure each p in all: out[p * B] = in@p[r * B] bytes B
      ensure kept[0] = in[0] bytes B

      lane main: sm(32) {
        barrier all_in
        each p in all {
          move stage@p[r * B] <- in[p * B] bytes B
        }
        barrier all_in
        move out[0] <- stage[0] bytes n * B
        move kept[0] <- in[0] bytes B
      }
      """;

  private static HookForm hook(String text) {
    return FormParser.hook("hook " + text);
  }

  private static String text(Form form) {
    return FormPrinter.print(form);
  }

  @Test
  void theInputPassesTheHookWhereItIsRead() {
    Form form =
        AttachedHook.onInput(
            FormParser.parse(PUSH), "in", hook("relu(in0: f32) -> f32 = max(in0, 0.0:f32)"));
    assertThat(text(form))
        .contains("require B % 4 == 0")
        .contains("move stage@p[r * B] <- relu (in[p * B]) bytes B")
        .contains("move out[0] <- stage[0] bytes n * B")
        .contains("move kept[0] <- relu (in[0]) bytes B")
        .contains("ensure each p in all: out[p * B] = relu (in@p[r * B]) bytes B");
    assertThat(FormParser.parse(text(form))).isEqualTo(form);
  }

  @Test
  void theOutputPassesTheHookWhereItIsWritten() {
    Form form =
        AttachedHook.onOutput(FormParser.parse(PUSH), "out", hook("half = scale(f32, 0.5)"));
    assertThat(text(form))
        .contains("move stage@p[r * B] <- in[p * B] bytes B")
        .contains("move out[0] <- half (stage[0]) bytes n * B")
        .contains("move kept[0] <- in[0] bytes B")
        .contains("ensure each p in all: out[p * B] = half (in@p[r * B]) bytes B")
        .contains("ensure kept[0] = in[0] bytes B");
  }

  /** The element's place in its buffer, and the owner of that buffer. */
  @Test
  void indexAndRankAreThoseOfTheBuffer() {
    Form form =
        AttachedHook.onInput(
            FormParser.parse(PUSH),
            "in",
            hook("mark(in0: i32, in1: i32) -> i32 = in0 + in1 * i32(i) + i32(rank)"));
    assertThat(text(form))
        .contains("input mark_in1[n * B]")
        .contains("in0 + in1 * i32(i + tile) + i32(peer)")
        .contains("mark (in[p * B], mark_in1[p * B], peer=r, tile=p * B / 4)")
        .contains("mark (in@p[r * B], mark_in1@p[r * B], peer=p, tile=r * B / 4)");
    assertThat(FormParser.parse(text(form))).isEqualTo(form);
  }

  /** Where a byte goes from the input to the output in one move, one hook follows the other. */
  @Test
  void twoHooksOnOneMoveBecomeOne() {
    Form first =
        AttachedHook.onInput(
            FormParser.parse(PUSH), "in", hook("bits(in0: f32) -> i32 = i32(in0 * 2.0:f32)"));
    Form both = AttachedHook.onOutput(first, "kept", hook("real(in0: i32) -> f32 = f32(in0)"));
    assertThat(text(both))
        .contains("hook bits_real(in0: f32) -> f32 = f32(i32(in0 * 2.0:f32))")
        .contains("move stage@p[r * B] <- bits (in[p * B]) bytes B")
        .contains("move kept[0] <- bits_real (in[0]) bytes B");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          in   | h(in0: f32) -> bf16 = bf16(in0)                            | give all elements one width
          in   | h(in0: f32 at affine(offset=1, stride=1)) -> f32 = in0      | leave out maps
          in   | h = transpose(f32, 2, 2)                                    | leave out maps
          in   | h(in0: i64) -> i64 = in0 + count                            | read i, rank and world alone; count, peer, tile, slot, step, block and role depend on the schedule
          in   | h(in0: i64) -> i64 = in0 + step                             | depend on the schedule
          inn  | h = copy(i32)                                               | no such input: program=push, name=inn; did you mean in? known: in, size
          out  | h = copy(i32)                                               | no such input: program=push, name=out
          size | h = copy(i32)                                               | operation=no move; there is nothing to hook
          """)
  void aHookThatDoesNotFitIsRefused(String buffer, String hook, String message) {
    Form form = FormParser.parse(PUSH);
    HookForm parsed = hook(hook);
    assertThatThrownBy(() -> AttachedHook.onInput(form, buffer, parsed))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          in  | move kept[0] <- in[0] bytes B | move kept[0] <- sum int32 in int32 (in[0], in[0]) bytes B | (in[0], in[0]) bytes B; it reduces
          in  | move kept[0] <- in[0] bytes B | load x <- in[0] <= 8 else 1 | load x <- in[0] <= 8 else 1; only moves apply hooks
          in  | move kept[0] <- in[0] bytes B | put kept[0] <- in[0] bytes 8 | only moves apply hooks
          in  | sm(32)                        | copy | lane main; only lanes on an SM compute
          in  | ensure kept[0] = in[0] bytes B | ensure for k < 1, load x <- in[0] <= 8: kept[0] = in[x] bytes 8 | it depends on words of that buffer
          in  | ensure kept[0] = in[0] bytes B | ensure kept[0] = sum int32 in int32 (in[0], in@0[0]) bytes B | it reduces
          out | move kept[0] <- in[0] bytes B | move kept[0] <- out[0] bytes B | it reads what has passed the hook
          out | move kept[0] <- in[0] bytes B | move kept[0], out[0] <- stage[0] bytes B | it also has other regions there
          """)
  void aProgramThatDoesNotAllowItIsRefused(
      String buffer, String right, String other, String message) {
    assertThat(PUSH).contains(right);
    String changed = PUSH.replace(right, other);
    Form form =
        FormParser.parse(
            other.equals("copy")
                ? changed.replace("barrier all_in\n", "").replace("  barrier", "")
                : changed);
    HookForm hook = hook("h(in0: i32) -> i32 = in0 + 1:i32");
    assertThatThrownBy(() -> form(form, buffer, hook))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("hook cannot be attached: program=push")
        .hasMessageContaining(message);
  }

  private static Form form(Form form, String buffer, HookForm hook) {
    return buffer.equals("in")
        ? AttachedHook.onInput(form, buffer, hook)
        : AttachedHook.onOutput(form, buffer, hook);
  }

  @Test
  void aTextOfAHookIsCheckedAsAWhole() {
    assertThatThrownBy(() -> hook("h(in0: i32) -> i32 = in0 lane"))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining("expected the end of the hook");
    assertThatThrownBy(() -> hook("h(in0: i32) -> i32 = in2"))
        .hasMessageContaining("undeclared source");
  }
}
