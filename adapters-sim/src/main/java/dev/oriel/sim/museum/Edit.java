package dev.oriel.sim.museum;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A broken program and its twin in one text: a comment {@code --+ line} holds a line of the twin
 * alone, and a line that ends in the comment {@code ---} is one of the broken program alone. Read
 * as it stands, the text is the broken program.
 */
public record Edit(String broken) {
  private static final String ADDED = "--+";
  private static final String DROPPED = "---";

  /** The text of the repaired program. */
  public String twin() {
    return broken
        .lines()
        .filter(line -> !line.endsWith(DROPPED))
        .map(line -> line.strip().startsWith(ADDED) ? uncommented(line) : line)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** How many lines were dropped or added. */
  public int size() {
    return (int) broken.lines().filter(Edit::marked).count();
  }

  /** At how many places of the text. */
  public int places() {
    int places = 0;
    boolean before = false;
    for (String line : broken.lines().toList()) {
      places += marked(line) && !before ? 1 : 0;
      before = marked(line);
    }
    return places;
  }

  /** The program as people compare texts: dropped lines behind -, added ones behind +. */
  public List<String> difference() {
    List<String> lines = new ArrayList<>();
    for (String line : broken.lines().toList()) {
      if (line.endsWith(DROPPED)) {
        lines.add("- " + line.substring(0, line.length() - DROPPED.length()).stripTrailing());
      } else if (line.strip().startsWith(ADDED)) {
        lines.add("+ " + uncommented(line));
      } else {
        lines.add(("  " + line).stripTrailing());
      }
    }
    return lines;
  }

  private static boolean marked(String line) {
    return line.endsWith(DROPPED) || line.strip().startsWith(ADDED);
  }

  private static String uncommented(String line) {
    return line.replaceFirst("--\\+ ?", "");
  }
}
