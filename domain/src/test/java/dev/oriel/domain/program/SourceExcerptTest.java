package dev.oriel.domain.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceExcerptTest {
  @Test
  void theCaretStandsUnderTheColumn() {
    assertThat(SourceExcerpt.of("form f\n  mvoe x\nlane", new TextPosition(2, 3)).lines())
        .containsExactly("  mvoe x", "  ^");
    assertThat(SourceExcerpt.of("form f\r\n\tmvoe x\r\n", new TextPosition(2, 2)).lines())
        .containsExactly(" mvoe x", " ^");
  }

  @Test
  void theEndOfALineAndOfTheTextHavePlaces() {
    assertThat(SourceExcerpt.of("form f", new TextPosition(1, 7)).lines())
        .containsExactly("form f", "      ^");
    assertThat(SourceExcerpt.of("form f\n", new TextPosition(2, 1)).lines())
        .containsExactly("", "^");
    assertThat(SourceExcerpt.of("form f", new TextPosition(9, 4)).lines()).containsExactly("", "^");
  }

  @Test
  void aLongLineIsCutAroundThePlace() {
    String text = "a".repeat(300) + "X" + "b".repeat(300);
    SourceExcerpt excerpt = SourceExcerpt.of(text, new TextPosition(1, 301));
    assertThat(excerpt.line()).startsWith("...a").endsWith("b...").hasSize(106);
    assertThat(excerpt.line().charAt(excerpt.caret().indexOf('^'))).isEqualTo('X');
    SourceExcerpt first = SourceExcerpt.of(text, new TextPosition(1, 5));
    assertThat(first.line()).startsWith("aaaa").endsWith("a...").hasSize(103);
    assertThat(first.caret()).isEqualTo("    ^");
    SourceExcerpt last = SourceExcerpt.of(text, new TextPosition(1, 601));
    assertThat(last.line()).startsWith("...").endsWith("b");
    assertThat(last.caret()).hasSize(last.line().length());
  }
}
