package dev.oriel.it.terminal;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** Colours the lines that begin with the label {@code verdict}, and passes on all others. */
final class VerdictColours extends FilterWriter {
  private static final String LABEL = "verdict ";
  private static final String ESCAPE = "\u001b[";
  private static final String BAD = "1;31";
  private static final String FINE = "1;32";
  private static final String DOUBTFUL = "1;33";

  /** Verdicts after which nothing has to be done. */
  private static final List<String> GOOD =
      List.of("nothing found", "proved", "every output byte", "every replay ended");

  private final StringBuilder line = new StringBuilder();

  VerdictColours(Writer out) {
    super(out);
  }

  @Override
  public void write(int c) throws IOException {
    line.append((char) c);
    if (c == '\n') {
      pass();
    }
  }

  @Override
  public void write(char[] text, int from, int length) throws IOException {
    write(String.valueOf(text, from, length), 0, length);
  }

  @Override
  public void write(String text, int from, int length) throws IOException {
    for (int at = from; at < from + length; at++) {
      write(text.charAt(at));
    }
  }

  private void pass() throws IOException {
    out.write(painted(line.toString()));
    line.setLength(0);
  }

  private static String painted(String line) {
    if (!line.startsWith(LABEL)) {
      return line;
    }
    String words = line.substring(LABEL.length()).strip();
    int from = line.indexOf(words);
    int to = from + words.length();
    return line.substring(0, from)
        + ESCAPE
        + colour(words)
        + "m"
        + words
        + ESCAPE
        + "0m"
        + line.substring(to);
  }

  private static String colour(String words) {
    if (words.contains("VIOLATION")) {
      return BAD;
    }
    return GOOD.stream().anyMatch(words::startsWith) ? FINE : DOUBTFUL;
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    pass();
    out.close();
  }
}
