package dev.oriel.it.words;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Facts for a person, each after its label. No line but a command is longer than {@link #WIDTH}; a
 * list that does not fit into its lines states how many of its items {@code --verbose} adds.
 */
public final class LabelledFacts {
  public static final int WIDTH = 100;
  private static final int COLUMN = 15;
  private static final String CUT = " ...";

  private final List<String> lines = new ArrayList<>();

  /** One fact in one line; a mark shows where it is cut. */
  public LabelledFacts add(String label, String fact) {
    return add(label, List.of(fact), 1);
  }

  /** What to do next. It is printed to be copied, so it stays in one line however wide that is. */
  public LabelledFacts next(String step) {
    put("next", List.of(step));
    return this;
  }

  /** As many of the items as fit into that many lines, the first ones first. */
  public LabelledFacts add(String label, List<String> items, int most) {
    if (items.isEmpty()) {
      return this;
    }
    for (int count = items.size(); count >= 1; count--) {
      List<String> wrapped = wrapped(text(items.subList(0, count), items.size() - count));
      if (fits(wrapped, most)) {
        put(label, wrapped);
        return this;
      }
    }
    String more = more(items.size() - 1);
    String first = items.getFirst();
    int length = Math.min(first.length(), most * room());
    while (length > room() - more.length() && !fits(wrapped(cut(first, length) + more), most)) {
      length--;
    }
    put(label, wrapped(cut(first, length) + more));
    return this;
  }

  /** The text if it fits after a label, or else the shorter one. */
  public static String fitting(String text, String shorter) {
    return text.length() <= room() ? text : shorter;
  }

  /** The number of lines so far. */
  public int size() {
    return lines.size();
  }

  /** Appends all facts of the others. */
  public LabelledFacts addAll(LabelledFacts others) {
    lines.addAll(others.lines);
    return this;
  }

  public void print(PrintWriter out) {
    lines.forEach(out::println);
  }

  private static int room() {
    return WIDTH - COLUMN;
  }

  private void put(String label, List<String> wrapped) {
    String name = label;
    for (String line : wrapped) {
      lines.add((name + " ".repeat(Math.max(1, COLUMN - name.length())) + line).stripTrailing());
      name = "";
    }
  }

  private static String text(List<String> items, int left) {
    return String.join("; ", items) + more(left);
  }

  private static String more(int count) {
    return count == 0 ? "" : "; %d more: --verbose".formatted(count);
  }

  private static List<String> wrapped(String text) {
    return wrapped(text, room());
  }

  /** The text in lines of at most that width, broken at spaces; a longer word has its own line. */
  public static List<String> wrapped(String text, int width) {
    List<String> wrapped = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        wrapped.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    wrapped.add(line.toString());
    return wrapped;
  }

  private static boolean fits(List<String> wrapped, int most) {
    // A word may be longer than a line.
    return wrapped.size() <= most && wrapped.stream().allMatch(line -> line.length() <= room());
  }

  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    String kept = text.substring(0, Math.max(0, most - CUT.length()));
    int space = kept.lastIndexOf(' ');
    return (space > 0 ? kept.substring(0, space) : kept).stripTrailing() + CUT;
  }
}
