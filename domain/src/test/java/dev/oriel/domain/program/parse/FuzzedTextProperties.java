package dev.oriel.domain.program.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.ShippedText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A text with any change is a form or an error that names a place. */
class FuzzedTextProperties {

  @Property(tries = 2000)
  @Sampled(every = 5)
  void survivesDeletedDoubledAndSwappedTokens(
      @ForAll @IntRange(max = 2) int program,
      @ForAll @IntRange(min = 1, max = 4) int edits,
      @ForAll long seed) {
    Random random = new Random(seed);
    List<String> tokens = new ArrayList<>();
    FormLexer.tokens(text(program), new MistakeList(m -> m))
        .forEach(token -> tokens.add(token.text()));
    for (int i = 0; i < edits; i++) {
      int at = random.nextInt(tokens.size());
      int other = random.nextInt(tokens.size());
      switch (random.nextInt(4)) {
        case 0 -> tokens.remove(at);
        case 1 -> tokens.add(at, tokens.get(at));
        case 2 -> tokens.set(at, tokens.get(other));
        default -> {
          String first = tokens.get(at);
          tokens.set(at, tokens.get(other));
          tokens.set(other, first);
        }
      }
    }
    isAFormOrARefusal(String.join(" ", tokens));
  }

  @Property(tries = 2000)
  @Sampled(every = 5)
  void survivesRandomCharacters(
      @ForAll @IntRange(max = 2) int program,
      @ForAll @IntRange(min = 1, max = 4) int edits,
      @ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(text(program));
    for (int i = 0; i < edits; i++) {
      int at = random.nextInt(text.length());
      char c = (char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(65_536));
      switch (random.nextInt(3)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, c);
        default -> text.setCharAt(at, c);
      }
    }
    isAFormOrARefusal(text.toString());
  }

  @Property(tries = 500)
  @Sampled(every = 5)
  void survivesNonsense(@ForAll String text) {
    isAFormOrARefusal(text);
    isAFormOrARefusal("form f lane l: host {" + text);
  }

  /** A shipped program, or the form in which every operation occurs. */
  private static String text(int program) {
    try {
      return program < ShippedText.NAMES.size()
          ? ShippedText.of(ShippedText.NAMES.get(program))
          : Files.readString(Path.of("src", "test", "resources", "golden", "everything.oriel"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void isAFormOrARefusal(String text) {
    try {
      Form form = FormParser.parse(text);
      assertThat(FormParser.parse(FormPrinter.print(form))).isEqualTo(form);
    } catch (ProgramException refused) {

      assertThat(refused.getMessage()).contains("line=").contains("column=").contains("; ");
    }
  }
}
