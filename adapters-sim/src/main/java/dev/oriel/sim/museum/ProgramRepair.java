package dev.oriel.sim.museum;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A broken program and its repair in one text. A comment {@code --+ line} has a line of the
 * repaired program alone. A line that ends in the comment {@code ---} belongs to the broken program
 * alone. Read as it is, the text is the broken program.
 */
public record ProgramRepair(String broken) {
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

  /** The number of lines that were dropped or added. */
  public int size() {
    return (int) broken.lines().filter(ProgramRepair::marked).count();
  }

  /** The number of places in the text that the repair changes. */
  public int places() {
    int places = 0;
    boolean before = false;
    for (String line : broken.lines().toList()) {
      places += marked(line) && !before ? 1 : 0;
      before = marked(line);
    }
    return places;
  }

  /** The difference of the programs: dropped lines after -, added ones after +. */
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
