package dev.oriel.domain.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BufferOffsetsTest {
  private static final Form FORM =
      FormParser.parse(
          """
          form f
          input in[64]
          input size[16]
          output out[64]
          scratch box[64]
          ensure load c <- size[0] <= 8: out[c] = in[8] bytes 32
          lane main: sm(32) {
            load c <- size[0] <= 8 else 1
            move out[c], box[0] <- in[8] bytes 32
          }
          """);

  @Test
  void everyPlaceOfABufferIsShifted() {
    String text = FormPrinter.print(BufferOffsets.of(FORM, Map.of("in", 4L, "out", 12L)));
    assertThat(text)
        .contains("form f-at-in-4-out-12")
        .contains("input in[4 + 64]", "output out[12 + 64]", "scratch box[64]")
        .contains("out[12 + c] = in[4 + 8] bytes 32")
        .contains("move out[12 + c], box[0] <- in[4 + 8] bytes 32");
    assertThat(FormParser.parse(text))
        .isEqualTo(BufferOffsets.of(FORM, Map.of("in", 4L, "out", 12L)));
  }

  @Test
  void noOffsetChangesNothing() {
    assertThat(BufferOffsets.of(FORM, BufferOffsets.everywhere(FORM, 0))).isSameAs(FORM);
  }

  @Test
  void wordsStayAligned() {
    Program.bind(BufferOffsets.of(FORM, BufferOffsets.everywhere(FORM, 8)), 2, Map.of());
    assertThatExceptionOfType(ProgramException.class)
        .isThrownBy(() -> Program.bind(BufferOffsets.of(FORM, Map.of("size", 4L)), 2, Map.of()))
        .withMessageContaining("misaligned word")
        .withMessageContaining("buffer=size");
  }

  @Test
  void invalidOffsetsAreRejected() {
    refuses(
        Map.of("box", 4L),
        "no buffer of the caller: name=box, form=f; move one of [in, size, out]");
    refuses(Map.of("in", -1L), "offset out of range: buffer=in, offset=-1, min=0, max=4096");
    refuses(Map.of("in", 4097L), "offset=4097");
  }

  private static void refuses(Map<String, Long> offsets, String why) {
    assertThatExceptionOfType(ProgramException.class)
        .isThrownBy(() -> BufferOffsets.of(FORM, offsets))
        .withMessageContaining(why);
  }
}
