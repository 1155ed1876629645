package dev.oriel.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTextTest {

  @Test
  void aTerminalsCommandsAreReplaced() {
    assertThat(TerminalText.line("a\u001b[31mb\u0007\u009b")).isEqualTo("a\uFFFD[31mb\uFFFD\uFFFD");
  }

  @Test
  void directionMarksAreReplaced() {
    assertThat(TerminalText.line("a\u202eb\u2066c")).isEqualTo("a\uFFFDb\uFFFDc");
  }

  @Test
  void unpairedSurrogatesAreReplaced() {
    assertThat(TerminalText.line("\ud83d\ude00 \ud83d")).isEqualTo("\ud83d\ude00 \uFFFD");
  }

  @Test
  void allLineEndsAreUnified() {
    assertThat(TerminalText.lines("a\r\nb\rc\u2028d\te")).isEqualTo("a\nb\nc\nd e");
    assertThat(TerminalText.line("a\r\nb")).isEqualTo("a b");
  }

  @Test
  void breaksAtSpacesIfPossible() {
    assertThat(TerminalText.wrapped("one two three", 8)).containsExactly("one two", "three");
    assertThat(TerminalText.wrapped("abcdefghij", 4)).containsExactly("abcd", "efgh", "ij");
    assertThat(TerminalText.wrapped("abc\ud83d\ude00", 4)).containsExactly("abc", "\ud83d\ude00");
  }

  @Test
  void truncationIsMarked() {
    assertThat(TerminalText.cut("abcd", 4)).isEqualTo("abcd");
    assertThat(TerminalText.cut("abcde", 4)).isEqualTo("abc~");
    assertThat(TerminalText.cut("ab\ud83d\ude00e", 4)).isEqualTo("ab~");
  }
}
