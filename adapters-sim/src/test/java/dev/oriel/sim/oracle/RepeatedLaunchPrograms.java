package dev.oriel.sim.oracle;

import java.util.Random;

/**
 * Texts of random programs in which ranks hand a message around in every launch. They choose slots
 * and signal values by the launch, wait for credits of earlier launches or not, and may do
 * something else in some launches. So a mistake may show in the first launch or only in a later
 * one.
 */
final class RepeatedLaunchPrograms {
  private static final String NEXT = "((r + 1) % n)";

  private final Random random;
  private final StringBuilder text = new StringBuilder();

  private RepeatedLaunchPrograms(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
  }

  static String text(long seed) {
    return new RepeatedLaunchPrograms(seed).text();
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
    boolean counts = below(4) == 0;
    boolean words = below(4) == 0;
    text.append("form drawn\ninput in[8]\noutput out[8]\nscratch box[32]\nscratch w[16]\n");
    text.append("signal DATA[4]\nsignal ACK[4]\nsignal B[1]\n");
    text.append("ensure out[0] = in@%s[0] bytes 8\n".formatted(NEXT));
    text.append("lane main: %s {\n".formatted(one("host", "sm(32)")));
    if (counts) {
      line("state t");
      line(below(6) == 0 ? "set t = t + " + (1 + below(2)) : "set t = t + 1");
    }
    String now = counts && below(2) == 0 ? "t" : "epoch";
    int slots = 1 + below(4);
    String slot = "8 * (%s %% %d)".formatted(now, slots);
    if (words) {
      wordsHandedOn(now);
    }
    meet(now);
    credit(now, below(4) == 0 ? below(4) : slots);
    String index = below(2) == 0 ? "0" : "%s %% %d".formatted(now, 1 + below(4));
    String other = below(8) == 0 ? "8 * ((%s + 1) %% %d)".formatted(now, slots) : slot;
    line("move box@%s[%s] <- in[0] bytes 8".formatted(NEXT, slot));
    data(now, index);
    line("move out[0] <- box[%s] bytes 8".formatted(other));
    if (text.indexOf("ACK[0]@") >= 0) {
      line("signal ACK[0]@%s set %s %s".formatted(NEXT, now, one("release", "release", "relaxed")));
    }
    if (below(3) > 0) {
      line("flush peers local");
    }
    return text.append("}\n").toString();
  }

  /** Announces the message and waits for the other one. */
  private void data(String now, String index) {
    String release = below(8) == 0 ? "relaxed" : "release";
    String acquire = below(8) == 0 ? "relaxed" : "acquire";
    String place = "DATA[%s]@%s".formatted(index, NEXT);
    String condition = "";
    if (below(5) == 0) {
      condition = one("epoch != 5", "epoch > 2", "epoch % 3 != 2", "epoch < 4");
    }
    switch (below(6)) {
      case 0 -> {
        line("signal %s add 1 %s".formatted(place, release));
        line("await %s >= %s %s".formatted(place, one("epoch", now, "1"), acquire));
      }
      case 1 -> {
        int modulus = 2 + below(3);
        line("signal %s set %s %% %d %s".formatted(place, now, modulus, release));
        line("await %s == %s %% %d %s".formatted(place, now, modulus, acquire));
      }
      case 2 -> {
        line("signal %s set 2 * %s - 1 %s".formatted(place, now, release));
        line("await %s >= 2 * %s - 1 %s".formatted(place, now, acquire));
      }
      default -> {
        String value = below(10) == 0 ? "epoch / 2 + 1" : now;
        line("signal %s set %s %s".formatted(place, value, release));
        String await = "await %s %s %s %s".formatted(place, one("reached", ">="), value, acquire);
        line(condition.isEmpty() ? await : "if %s { %s }".formatted(condition, await));
      }
    }
  }

  /** Waits until an earlier message was taken. */
  private void credit(String now, int slots) {
    if (below(4) == 0) {
      return;
    }
    String await = "await ACK[0]@%s %s %s - %d acquire".formatted(NEXT, "reached", now, slots);
    switch (below(4)) {
      case 0 -> line(await);
      case 1 -> line("if epoch > %d { %s }".formatted(slots, await));
      case 2 -> line("if epoch != %d { %s }".formatted(1 + below(7), await));
      default -> line("if %s > %d { %s }".formatted(now, slots, await.replace("reached", ">=")));
    }
  }

  /** Meets the other ranks in some launches. */
  private void meet(String now) {
    if (below(2) == 0) {
      return;
    }
    String set = "signal B[0]@%s set %s release".formatted(NEXT, now);
    String await = "await B[0]@%s reached %s acquire".formatted(NEXT, now);
    String when =
        one("epoch % 2 == 0", "epoch % 3 == 1", "epoch & 1 == 1", "epoch > 3", "epoch < 3");
    if (when.contains("&")) {
      line("let odd = epoch & 1");
      when = "odd == 1";
    }
    line("if %s { %s %s }".formatted(when, set, await));
  }

  /** A word that the rank counts in, and a word that peers change. */
  private void wordsHandedOn(String now) {
    switch (below(4)) {
      case 0 -> {
        line("atomic w@%s[0] add 1".formatted(NEXT));
        line("wait w[0] >= %s acquire".formatted(now));
      }
      case 1 -> {
        line("store w[8] <- %s".formatted(now));
        line("load x <- w[8]");
        line("check x == %s else 1".formatted(one(now, now, "epoch", "epoch % 5")));
      }
      case 2 -> {
        line("atomic w@%s[0] set %s".formatted(NEXT, now));
        line("wait w[0] %s %s acquire".formatted(one(">=", "reached"), now));
      }
      default -> {
        line("load x <- w[8]");
        line("store w[8] <- x + 1");
        line("check x < %d else 1".formatted(2 + below(6)));
      }
    }
  }
}
