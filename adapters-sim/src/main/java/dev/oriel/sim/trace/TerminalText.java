package dev.oriel.sim.trace;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes foreign texts safe for terminals and logs: no control character, no change of writing
 * direction, no half of a surrogate pair.
 */
final class TerminalText {
  private static final char REPLACEMENT = '\uFFFD';

  private TerminalText() {}

  /** The text as one line; line breaks and tabs become spaces. */
  static String line(String text) {
    return clean(text).replace('\n', ' ');
  }

  /** The text with its own lines. */
  static String lines(String text) {
    return clean(text);
  }

  /** Lines of at most {@code width} characters, broken at spaces where there are any. */
  static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    for (String rest : lines(text).split("\n", -1)) {
      while (rest.length() > width) {
        int space = rest.lastIndexOf(' ', width);
        int end = space > 0 ? space : whole(rest, width);
        lines.add(rest.substring(0, end));
        rest = rest.substring(space > 0 ? end + 1 : end);
      }
      lines.add(rest);
    }
    return lines;
  }

  /** At most {@code width} characters; a final {@code ~} marks a cut. */
  static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, whole(text, width - 1)) + "~";
  }

  /** The largest end up to {@code end} that splits no surrogate pair. */
  private static int whole(String text, int end) {
    return end > 1 && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
  }

  private static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.replace("\r\n", "\n").codePoints().forEach(c -> clean.appendCodePoint(shown(c)));
    return clean.toString();
  }

  private static int shown(int c) {
    if (c == '\n' || c == '\r' || c == '\u2028' || c == '\u2029') {
      return '\n';
    }
    if (c == '\t') {
      return ' ';
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.SURROGATE -> REPLACEMENT;
      default -> c;
    };
  }
}
