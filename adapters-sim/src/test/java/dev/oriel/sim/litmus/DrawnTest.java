package dev.oriel.sim.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random litmus test of few events: loads, stores, updates and fences of every order and scope,
 * and, by its flavour, branches and values that depend on reads, block barriers, proxies and
 * aliases, or addresses that depend on reads.
 */
final class DrawnTest {
  private static final String[] PLACES = {
    "cta 0,gpu 0", "cta 0,gpu 0", "cta 1,gpu 0", "cta 0,gpu 1", "cta 1,cluster 0,gpu 0"
  };
  private static final String[] SCOPES = {"cta", "cluster", "gpu", "sys"};

  private final SplittableRandom random;
  private final int flavour;
  private final List<String> observed = new ArrayList<>(List.of("x", "y"));
  private final String quorum;
  private int left;
  private int registers;
  private int labels;

  private DrawnTest(SplittableRandom random, int events) {
    this.random = random;
    flavour = random.nextInt(7);
    quorum = pick("", ", 0, 1", ", 0, 2");
    left = events;
  }

  /** The text of a test of at most that many events. */
  static String text(SplittableRandom random, int events) {
    return new DrawnTest(random, events).text();
  }

  private String text() {
    int threads = 2 + random.nextInt(2);
    List<List<String>> columns = new ArrayList<>();
    int each = Math.max(2, left / threads);
    for (int t = 0; t < threads; t++) {
      List<String> column = new ArrayList<>();
      column.add("P%d@%s".formatted(t, pick(PLACES)));
      registers = 0;
      left = each;
      while (left > 0) {
        instruction(column);
      }
      for (int r = 1; r <= registers; r++) {
        observed.add("P%d:r%d".formatted(t, r));
      }
      columns.add(column);
    }
    int rows = columns.stream().mapToInt(List::size).max().orElse(0);
    StringBuilder text = new StringBuilder("PTX drawn\n{ x=0; y=0;");
    for (int t = 0; flavour == 6 && t < threads; t++) {
      text.append(" %d:p=x; %d:q=y;".formatted(t, t));
    }
    text.append(flavour == 5 ? " z @ generic aliases x; s @ surface aliases x;" : "")
        .append(" }\n");
    for (int row = 0; row < rows; row++) {
      int now = row;
      text.append(
          String.join(" | ", columns.stream().map(c -> now < c.size() ? c.get(now) : "").toList()));
      text.append(" ;\n");
    }
    return text.append("locations [%s]\nexists true\n".formatted(String.join("; ", observed)))
        .toString();
  }

  private String pick(String... from) {
    return from[random.nextInt(from.length)];
  }

  private String place() {
    return switch (flavour) {
      case 5 -> pick("x", "x", "z", "y");
      case 6 -> pick("[p]", "[q]");
      default -> pick("x", "y");
    };
  }

  private String value() {
    boolean depends = flavour >= 3 && registers > 0 && random.nextBoolean();
    return depends ? "r" + (1 + random.nextInt(registers)) : pick("1", "2");
  }

  private void instruction(List<String> column) {
    int kind = random.nextInt(flavour >= 3 ? 12 : 9);
    left--;
    switch (kind) {
      case 0, 1, 2 -> column.add("ld.%s r%d, %s".formatted(order("acquire"), ++registers, place()));
      case 3, 4 -> column.add("st.%s %s, %s".formatted(order("release"), place(), value()));
      case 5, 6 -> update(column);
      case 7 ->
          column.add("fence.%s.%s".formatted(pick("acq_rel", "acquire", "release"), pick(SCOPES)));
      case 8 -> column.add("fence.sc." + pick(SCOPES));
      default -> special(column);
    }
  }

  private String order(String strongest) {
    String order = pick("weak", "relaxed", strongest);
    return order.equals("weak") ? order : order + "." + pick(SCOPES);
  }

  private void update(List<String> column) {
    left--;
    String order = pick("relaxed", "relaxed", "acquire", "release", "acq_rel");
    String head = "%s.%s".formatted(order, pick(SCOPES));
    switch (random.nextInt(4)) {
      case 0 -> column.add("red.%s.add %s, %s".formatted(head, place(), value()));
      case 1 ->
          column.add(
              "atom.%s.cas r%d, %s, %s, 2".formatted(head, ++registers, place(), pick("0", "1")));
      default ->
          column.add(
              "atom.%s.%s r%d, %s, %s"
                  .formatted(head, pick("exch", "add"), ++registers, place(), value()));
    }
  }

  private void special(List<String> column) {
    if (flavour == 3 && registers > 0) {
      String label = "L%d".formatted(labels++);
      column.add(
          "%s r%d, 1, %s".formatted(pick("bne", "beq"), 1 + random.nextInt(registers), label));
      left++;
      instruction(column);
      column.add(label + ":");
    } else if (flavour == 4) {
      column.add("bar.cta.%s 0%s".formatted(pick("sync", "sync", "arrive"), quorum));
    } else if (flavour == 6 && registers > 0) {
      column.add("xor zero, r%1$d, r%1$d".formatted(1 + random.nextInt(registers)));
      column.add("add %1$s, %1$s, zero".formatted(pick("p", "q")));
      left++;
    } else if (flavour == 5) {
      switch (random.nextInt(5)) {
        case 0 -> column.add("sust.weak s, " + pick("1", "2"));
        case 1 -> column.add("suld.weak r%d, s".formatted(++registers));
        case 2, 3 -> column.add("fence.proxy.surface");
        default -> column.add("fence.proxy.alias");
      }
    }
  }
}
