package dev.oriel.domain.program.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference of the language shows only examples that the parser accepts. */
class LanguageTest {
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\|.*\\|.*\\|");

  /** Every name that the reference's one-line examples use. */
  private static final String FORM =
      """
      form f
      param B <= 4096
      input in[4096]
      output out[4096]
      window win[4096]
      signal S[4]
      barrier B
      hook half(in0: bf16, in1: f32 at blocks(size=128)) -> e4m3 = e4m3(f32(in0) / in1)
      hook mark(in0: i64) -> i64 to affine(offset=tile, stride=1) = in0 + peer
      ensure out[2048] = half(in[0], in[2048]) bytes 0
      ensure out[3072] = mark (in[0], peer=r, tile=0) bytes 0
      lane main: sm(32) {
        state s
        let p = (r + 1) % n
        move t: out[0] <- in[0] bytes 8
        EXAMPLE
      }
      lane other: copy {}
      """;

  static List<String> blocks() {
    List<String> blocks = new ArrayList<>();
    StringBuilder block = new StringBuilder();
    for (String line : lines()) {
      if (line.startsWith("    ")) {
        block.append(line).append('\n');
      } else if (!line.isEmpty() && !block.isEmpty()) {
        blocks.add(block.toString());
        block.setLength(0);
      } else if (!block.isEmpty()) {
        block.append('\n');
      }
    }
    // The other block is the output of a command.
    blocks.removeIf(text -> text.startsWith("    oriel: "));
    return blocks;
  }

  static List<String> operations() {
    return lines().stream()
        .dropWhile(line -> !line.equals("## Operations"))
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> row.group(1))
        .filter(example -> !example.equals("write"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void everyBlockIsAForm(String block) {
    Form form = FormParser.parse(block);
    assertThat(FormParser.parse(FormPrinter.print(form))).isEqualTo(form);
  }

  @ParameterizedTest
  @MethodSource("operations")
  void everyExampleIsAnOperation(String example) {
    assertThat(operation(example)).isNotNull();
  }

  @Test
  void everyOperationHasAnExample() {
    Set<Class<?>> shown = new HashSet<>();
    operations().forEach(example -> shown.add(operation(example).getClass()));
    assertThat(shown).containsAll(kinds(Op.class));
    assertThat(blocks()).hasSize(6);
  }

  private static List<Class<?>> kinds(Class<?> sealed) {
    List<Class<?>> kinds = new ArrayList<>();
    for (Class<?> kind : sealed.getPermittedSubclasses()) {
      kinds.addAll(kind.isSealed() ? kinds(kind) : List.of(kind));
    }
    return kinds;
  }

  private static Op operation(String example) {
    String other = example.startsWith("move t:") ? example.replace("t:", "u:") : example;
    Form form = FormParser.parse(FORM.replace("EXAMPLE", other));
    return form.lane("main").orElseThrow().body().getLast();
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(Path.of("..", "it", "docs", "reference", "language.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
