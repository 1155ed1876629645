package dev.oriel.it.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LabelledFactsTest {

  private static List<String> lines(LabelledFacts facts) {
    StringWriter text = new StringWriter();
    facts.print(new PrintWriter(text, true));
    return text.toString().lines().toList();
  }

  @Test
  void aListIsWrappedUnderItsLabel() {
    assertThat(lines(new LabelledFacts().add("explored", List.of("one two", "three"), 1)))
        .containsExactly("explored       one two; three");
    String words = "word ".repeat(20).strip();
    assertThat(lines(new LabelledFacts().add("label", List.of(words), 2)))
        .containsExactly(
            "label          " + "word ".repeat(17).strip(),
            "               " + "word ".repeat(3).strip());
    assertThat(lines(new LabelledFacts().add("label", List.of(), 2))).isEmpty();
  }

  @Test
  void omittedItemsAreCounted() {
    List<String> items = IntStream.range(0, 9).mapToObj(i -> "item number " + i).toList();
    assertThat(lines(new LabelledFacts().add("label", items, 1)))
        .containsExactly(
            "label          item number 0; item number 1; item number 2; item number 3;"
                + " 5 more: --verbose");
    assertThat(lines(new LabelledFacts().add("label", List.of("word ".repeat(60), "y"), 2)))
        .containsExactly(
            "label          " + "word ".repeat(17).strip(),
            "               " + "word ".repeat(12) + "...; 1 more: --verbose");
    assertThat(lines(new LabelledFacts().add("label", "z".repeat(86))))
        .containsExactly("label          " + "z".repeat(81) + " ...");
  }

  /** Each item is printed whole, or counted; only the first may be cut, with a mark. */
  @Test
  void everyOmissionIsCounted() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2000; i++) {
      List<String> items =
          IntStream.range(0, 1 + random.nextInt(9))
              .mapToObj(n ->
                  "<"
                      + n
                      + " "
                      + "ab ".repeat(random.nextInt(25))
                      + "c".repeat(random.nextInt(9))
                      + ">")
              .toList();
      int most = 1 + random.nextInt(3);
      List<String> lines = lines(new LabelledFacts().add("label", items, most));
      assertThat(lines.size()).isBetween(1, most);
      assertThat(lines).allMatch(line -> line.length() <= LabelledFacts.WIDTH);
      String text = String.join(" ", lines.stream().map(String::strip).toList());
      int shown = 0;
      while (shown < items.size() && text.contains(items.get(shown).replace("  ", " "))) {
        shown++;
      }
      boolean cut = shown == 0 && text.contains(" ...");
      int left = items.size() - Math.max(shown, cut ? 1 : 0);
      assertThat(text.endsWith("; " + left + " more: --verbose")).as(text).isEqualTo(left > 0);
    }
  }
}
