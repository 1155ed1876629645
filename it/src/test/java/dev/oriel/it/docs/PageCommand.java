package dev.oriel.it.docs;

import java.util.ArrayList;
import java.util.List;

/** A command that a page shows after {@code $}, the output below it, and the number of its line. */
record PageCommand(String text, int line, List<String> output) {
  private static final String PROMPT = "$ ";

  /** A row that represents any number of rows of the output. */
  static final String OMITTED = "...";

  static List<PageCommand> of(PageBlock block) {
    List<PageCommand> commands = new ArrayList<>();
    List<String> output = new ArrayList<>();
    for (int i = 0; i < block.lines().size(); i++) {
      String row = block.lines().get(i);
      if (row.startsWith(PROMPT)) {
        output = new ArrayList<>();
        commands.add(new PageCommand(row.substring(PROMPT.length()), block.line() + i, output));
      } else if (commands.isEmpty()) {
        throw new IllegalStateException(
            "output without a command: line=%d; begin it with $".formatted(block.line() + i));
      } else {
        output.add(row);
      }
    }
    return commands;
  }

  /** The words of the command, as a shell separates them: single quotes keep spaces. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean quoted = false;
    boolean any = false;
    for (char c : text.replaceAll(" +#.*", "").toCharArray()) {
      if (c == '\'') {
        quoted = !quoted;
        any = true;
      } else if (c == ' ' && !quoted) {
        if (any) {
          words.add(word.toString());
        }
        word.setLength(0);
        any = false;
      } else {
        word.append(c);
        any = true;
      }
    }
    if (any) {
      words.add(word.toString());
    }
    return words;
  }

  /** Whether the output is as shown; each {@code ...} takes as few rows as possible. */
  boolean matches(List<String> actual) {
    return matches(output, actual);
  }

  private static boolean matches(List<String> shown, List<String> actual) {
    if (shown.isEmpty()) {
      return actual.isEmpty();
    }
    if (!shown.getFirst().equals(OMITTED)) {
      return !actual.isEmpty()
          && shown.getFirst().equals(actual.getFirst())
          && matches(rest(shown), rest(actual));
    }
    for (int skipped = 0; skipped <= actual.size(); skipped++) {
      if (matches(rest(shown), actual.subList(skipped, actual.size()))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The output to show in place of the old one: as much as before of it. A row that is no longer
   * there is replaced by the next one with the same first word.
   */
  List<String> renewed(List<String> actual) {
    List<String> renewed = new ArrayList<>();
    int at = 0;
    boolean omitted = false;
    for (String row : output) {
      if (row.equals(OMITTED)) {
        omitted = true;
        renewed.add(row);
        continue;
      }
      int found = omitted ? next(row, actual, at) : Math.min(at, actual.size() - 1);
      if (found >= 0) {
        renewed.add(actual.get(found));
        at = found + 1;
        omitted = false;
      }
    }
    if (!omitted) {
      renewed.addAll(actual.subList(at, actual.size()));
    }
    return renewed;
  }

  private static int next(String row, List<String> actual, int from) {
    for (int i = from; i < actual.size(); i++) {
      if (actual.get(i).equals(row)) {
        return i;
      }
    }
    for (int i = from; i < actual.size(); i++) {
      if (firstWord(actual.get(i)).equals(firstWord(row))) {
        return i;
      }
    }
    return -1;
  }

  private static String firstWord(String row) {
    return row.strip().split(" +", 2)[0];
  }

  private static List<String> rest(List<String> rows) {
    return rows.subList(1, rows.size());
  }
}
