package dev.oriel.sim.oracle;

import java.util.Random;

/**
 * Texts of random programs in which an input word decides how many bytes a rank sends in a launch.
 * Memory keeps the remains of earlier launches. A program may forget a part of a message, take
 * another word than the sender's, or do something else after certain words of the launch before. So
 * a mistake may need certain words in consecutive launches.
 */
final class WordedLaunchPrograms {
  private static final int MOST = 12;

  private final Random random;
  private final StringBuilder text = new StringBuilder();

  private WordedLaunchPrograms(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L + 7);
  }

  static String text(long seed) {
    return new WordedLaunchPrograms(seed).text();
  }

  private int below(int bound) {
    return random.nextInt(bound);
  }

  private String one(String... choices) {
    return choices[below(choices.length)];
  }

  private void line(String line) {
    text.append("  ").append(line).append('\n');
  }

  private String text() {
    text.append("form drawn\ninput c[8]\ninput in[%d]\noutput out[%d]\n".formatted(MOST, MOST));
    text.append("scratch box[%d]\nscratch w[8]\n".formatted(2 * MOST));
    text.append("signal DATA[1]\nsignal ACK[1]\n");
    text.append(
        "ensure load k <- c@((r + 1) %% n)[0] <= %d: out[0] = in@((r + 1) %% n)[0] bytes k\n"
            .formatted(MOST));
    text.append("lane main: %s {\n".formatted(one("host", "sm(32)")));
    line("state last");
    line("let to = (r - 1) % n");
    line("let from = (r + 1) % n");
    line("load k <- c[0] <= %d else 1".formatted(MOST));
    if (below(3) > 0) {
      direct();
    } else {
      staged();
    }
    line("flush peers local");
    return text.append("}\n").toString();
  }

  /** The sender writes the output: memory keeps nothing but the last word. */
  private void direct() {
    line("signal ACK[0]@from set epoch release");
    line("await ACK[0]@to reached epoch acquire");
    when("move out@to[0] <- in[0] bytes k");
    when("move w@to[0] <- c[0] bytes 8");
    line("signal DATA[0]@to set epoch %s".formatted(below(12) == 0 ? "relaxed" : "release"));
    line("await DATA[0]@from reached epoch acquire");
    line("load m <- w[0] <= %d else 2".formatted(MOST));
    line("set last = " + one("k", "m", "m", "min(m, 1)"));
  }

  /** The receiver copies the output from memory that keeps remains. */
  private void staged() {
    line("await ACK[0]@to reached epoch - 1 acquire");
    String box = below(2) == 0 ? "0" : "%d * (epoch %% 2)".formatted(MOST);
    when("move box@to[%s] <- in[0] bytes k".formatted(box));
    when("move w@to[0] <- c[0] bytes 8");
    line("signal DATA[0]@to set epoch release");
    line("await DATA[0]@from reached epoch acquire");
    line("load m <- w[0] <= %d else 2".formatted(MOST));
    String bytes = below(10) == 0 ? "k" : below(10) == 0 ? "min(m, last)" : "m";
    when("move out[0] <- box[%s] bytes %s".formatted(box, bytes));
    line("set last = " + one("k", "m", "m", "min(m, 1)"));
    line("signal ACK[0]@from set epoch %s".formatted(below(12) == 0 ? "relaxed" : "release"));
  }

  /** The operation in every launch, or mostly so. */
  private void when(String operation) {
    if (below(4) > 0) {
      line(operation);
      return;
    }
    String first = one("last", "last", "k") + one(" == ", " != ") + one("0", "1", "" + MOST);
    String second = one("last", "k") + one(" < ", " >= ") + one("1", "2", "" + MOST);
    line("if %s { if %s { %s } } else { %s }".formatted(first, second, operation, operation));
  }
}
