package dev.oriel.it.docs;

import java.util.ArrayList;
import java.util.List;

/**
 * A fenced block of a page: the words after its opening fence, its lines, and the number of the
 * first of them.
 *
 * <table>
 * <caption>What the words mean</caption>
 * <tr><td>{@code oriel FILE}, {@code litmus FILE}</td><td>a text that the reader saves as FILE</td></tr>
 * <tr><td>{@code diff FILE NEXT}</td><td>a change of FILE that the reader saves as NEXT</td></tr>
 * <tr><td>{@code console}</td><td>commands after {@code $}, each followed by its output</td></tr>
 * <tr><td>{@code sh}</td><td>commands that no test runs; their options are checked</td></tr>
 * <tr><td>{@code java FILE}, {@code xml FILE}</td><td>a file of a Maven project</td></tr>
 * <tr><td>{@code java FILE snippet}</td><td>a part of a test of this repository</td></tr>
 * </table>
 */
record PageBlock(List<String> words, int line, List<String> lines) {
  private static final String FENCE = "```";

  String kind() {
    return words.isEmpty() ? "" : words.getFirst();
  }

  /** The file that this block is saved as, or changes. */
  String file() {
    if (words.size() < 2) {
      throw new IllegalStateException(
          "block without a file: line=%d, words=%s; name it after the fence"
              .formatted(line, words));
    }
    return words.get(1);
  }

  boolean hasFile() {
    return words.size() > 1;
  }

  boolean snippet() {
    return words.size() > 2 && words.get(2).equals("snippet");
  }

  String text() {
    return String.join("\n", lines) + "\n";
  }

  /** The file with this difference applied: each removed line occurs in it once. */
  String applyTo(String before) {
    String after = before;
    List<String> from = new ArrayList<>();
    List<String> to = new ArrayList<>();
    for (String row : lines) {
      String content = row.isEmpty() ? row : row.substring(1);
      if (row.isEmpty() || row.charAt(0) == ' ') {
        from.add(content);
        to.add(content);
      } else if (row.charAt(0) == '-') {
        from.add(content);
      } else if (row.charAt(0) == '+') {
        to.add(content);
      } else {
        throw new IllegalStateException(
            "not a row of a difference: line=%d, row=%s".formatted(line, row));
      }
    }
    String old = String.join("\n", from) + "\n";
    int at = after.indexOf(old);
    if (at < 0 || after.indexOf(old, at + 1) >= 0) {
      throw new IllegalStateException(
          "the difference does not match its file once: line=%d, file=%s".formatted(line, file()));
    }
    String fresh = to.isEmpty() ? "" : String.join("\n", to) + "\n";
    return after.substring(0, at) + fresh + after.substring(at + old.length());
  }

  static List<PageBlock> of(List<String> page) {
    List<PageBlock> blocks = new ArrayList<>();
    List<String> body = new ArrayList<>();
    String opening = null;
    int first = 0;
    for (int i = 0; i < page.size(); i++) {
      String row = page.get(i);
      if (!row.startsWith(FENCE)) {
        body.add(row);
      } else if (opening == null) {
        opening = row.substring(FENCE.length()).strip();
        first = i + 2;
        body.clear();
      } else {
        List<String> words = opening.isEmpty() ? List.of() : List.of(opening.split(" +"));
        blocks.add(new PageBlock(words, first, List.copyOf(body)));
        opening = null;
      }
    }
    if (opening != null) {
      throw new IllegalStateException("a block has no end: line=%d".formatted(first));
    }
    return blocks;
  }
}
