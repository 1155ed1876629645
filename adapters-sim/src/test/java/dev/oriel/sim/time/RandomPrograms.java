package dev.oriel.sim.time;

import java.util.SplittableRandom;

/** Small programs that end: rounds in which every rank does the same, shifted by its number. */
public final class RandomPrograms {
  private final SplittableRandom random;
  private final StringBuilder text = new StringBuilder();
  private String format = "";

  private RandomPrograms(long seed) {
    random = new SplittableRandom(seed);
  }

  public static String draw(long seed) {
    return new RandomPrograms(seed).program();
  }

  private String program() {
    int rounds = random.nextInt(1, 6);
    format = random.nextBoolean() ? "pkt16" : "line128";
    text.append(
        """
        form drawn
        input in[4096]
        output out[4096]
        scratch ll[n * 10240]
        signal S[16]
        signal A[16]
        """);
    text.append(
        random.nextBoolean() ? "lane main(g < 2): sm(64) {\n" : "lane main(g < 1): sm(96) {\n");
    for (int round = 0; round < rounds; round++) {
      round(round);
    }
    text.append("}\n");
    if (random.nextBoolean()) {
      text.append("lane last: sm(32) {\n  join main\n  move out[0] <- in[0] bytes 64\n}\n");
    }
    return text.toString();
  }

  private void line(String line) {
    text.append("  ").append(line).append('\n');
  }

  private void round(int round) {
    int shift = random.nextInt(0, 4);
    String to = "((r + " + shift + ") % n)";
    String from = "((r - " + shift + ") % n)";
    String slot = "S[" + round + " * 2 + g]";
    int bytes = random.nextInt(5) == 0 ? 0 : random.nextInt(1, 2048);
    switch (random.nextInt(6)) {
      case 0 -> {
        line("move out@" + to + "[0] <- in[g] bytes " + bytes + " * (r % 2)");
        line("signal " + slot + "@" + to + " set epoch release");
        line("await " + slot + "@" + from + " reached epoch acquire");
      }
      case 1 -> {
        line("move out[0] <- in@" + to + "[0] bytes " + bytes);
        line("sync");
      }
      case 2 -> {
        line("signal A[" + round + " * 2 + g]@all add 1 relaxed");
        line("await sum A[" + round + " * 2 + g]@all reached epoch * n relaxed");
      }
      case 3 -> {
        line("move out@" + to + "[0] <- in[0] bytes " + bytes);
        line("flush @" + to + (random.nextBoolean() ? " local" : " remote"));
      }
      case 4 -> {
        line("signal " + slot + "@peers set epoch release");
        line("await " + slot + "@peers reached epoch acquire");
      }
      default -> {
        int length = random.nextInt(0, 200);
        String half = "[(((" + round + " * 2 + g) * 2 + (epoch & 1)) * n + ";
        String flag = ") * 512] " + format + "(nz32(epoch))";
        line("move ll@" + to + half + "r" + flag + " <- in[0] bytes " + length);
        line("move out[0] <- ll" + half + from + flag + " bytes " + length);
      }
    }
  }
}
