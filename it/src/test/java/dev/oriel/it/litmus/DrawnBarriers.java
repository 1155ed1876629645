package dev.oriel.it.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random litmus tests of two or three threads in one or two blocks, which complete their barriers
 * or fail to.
 */
final class DrawnBarriers {
  private DrawnBarriers() {}

  /** The text of a test; its name describes it. */
  static String text(SplittableRandom random) {
    int threads = random.nextInt(2, 4);
    int together = random.nextInt(3);
    List<List<String>> columns = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      List<String> column = new ArrayList<>();
      column.add("P%d@cta %d,gpu 0".formatted(t, random.nextInt(6) == 0 ? 1 : 0));
      int uses = random.nextInt(1, 3);
      int loads = 0;
      for (int use = 0; use < uses; use++) {
        if (random.nextInt(3) > 0) {
          column.add("st.weak %s, %d".formatted(random.nextBoolean() ? "x" : "y", t + 1));
        }
        if (random.nextInt(8) > 0) {
          column.add(barrier(random, together, threads));
        }
        if (random.nextInt(3) > 0) {
          column.add("ld.weak r%d, %s".formatted(loads++, random.nextBoolean() ? "x" : "y"));
        }
      }
      columns.add(column);
    }
    int rows = columns.stream().mapToInt(List::size).max().orElseThrow();
    StringBuilder table = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      int now = row;
      table
          .append(
              String.join(
                  " | ", columns.stream().map(c -> now < c.size() ? c.get(now) : "").toList()))
          .append(" ;\n");
    }
    String observed = observed(columns);
    String name = table.toString().replaceAll("[^A-Za-z0-9]+", "_");
    return "PTX %s\n{ x=0; y=0; }\n%slocations [%s]\nexists true\n"
        .formatted(name, table, observed);
  }

  /** Usually the barrier at which the others arrive, too. */
  private static String barrier(SplittableRandom random, int together, int threads) {
    String what = random.nextInt(3) == 0 ? "arrive" : "sync";
    if (random.nextInt(5) > 0) {
      return together == 0 ? "bar.cta.sync 0" : "bar.cta.%s 1, 0, %d".formatted(what, threads);
    }
    return "bar.cta.%s %d, %d%s"
        .formatted(
            what,
            random.nextInt(2),
            random.nextInt(2),
            random.nextBoolean() ? ", " + random.nextInt(1, 4) : "");
  }

  private static String observed(List<List<String>> columns) {
    List<String> observed = new ArrayList<>(List.of("x", "y"));
    for (int t = 0; t < columns.size(); t++) {
      for (String line : columns.get(t)) {
        if (line.startsWith("ld.")) {
          observed.add(
              "P%d:%s".formatted(t, line.substring(line.indexOf(' ') + 1, line.indexOf(','))));
        }
      }
    }
    return String.join("; ", observed);
  }
}
