package dev.oriel.domain.program;

import java.util.List;

/** The line of a text with a mistake in it, and a second line with a caret under the place. */
public record SourceExcerpt(String line, String caret) {
  /** The most characters of a line that are shown. */
  private static final int WIDTH = 100;

  /** The characters shown before the place in a line that is too long. */
  private static final int BEFORE = 60;

  private static final String CUT = "...";

  /** The excerpt at a position of the text; blank if the text has no such line. */
  public static SourceExcerpt of(String text, TextPosition position) {
    String whole = line(text, position.line());
    int column = Math.min(position.column() - 1, whole.length());
    int from = whole.length() > WIDTH ? Math.max(0, column - BEFORE) : 0;
    int to = Math.min(whole.length(), from + WIDTH);
    String before = from > 0 ? CUT : "";
    String after = to < whole.length() ? CUT : "";
    return new SourceExcerpt(
        before + whole.substring(from, to) + after,
        " ".repeat(before.length() + column - from) + "^");
  }

  /** Both lines. */
  public List<String> lines() {
    return List.of(line, caret);
  }

  /** Each character takes one column, so the caret is under it. */
  private static String line(String text, int number) {
    int from = 0;
    for (int line = 1; line < number; line++) {
      from = text.indexOf('\n', from) + 1;
      if (from == 0) {
        return "";
      }
    }
    int end = text.indexOf('\n', from);
    return text.substring(from, end < 0 ? text.length() : end).replace('\t', ' ').stripTrailing();
  }
}
