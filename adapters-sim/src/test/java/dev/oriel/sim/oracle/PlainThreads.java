package dev.oriel.sim.oracle;

import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The texts of {@link PlainPrograms} with blocks of threads, in which one thread alone does many of
 * the operations that change or await words. The blocks meet where a {@code sync} is added.
 */
final class PlainThreads {
  private static final Pattern ALONE =
      Pattern.compile(
          "\\s*(signal S\\[\\d]@\\d .*|await \\w\\[\\d]@\\d .*|wait .*|store .*|order .*"
              + "|atomic flag@\\d\\[0] .*)");

  private final Random random;

  private PlainThreads(long seed) {
    random = new Random(~seed);
  }

  static String text(long seed, int world, boolean rdma) {
    PlainThreads threads = new PlainThreads(seed);
    return PlainPrograms.text(seed, world, rdma)
        .lines()
        .map(threads::line)
        .collect(Collectors.joining("\n"))
        .replaceAll("lane main: \\S+", "lane main: sm(64)");
  }

  private String line(String text) {
    if (!ALONE.matcher(text).matches() || random.nextInt(3) == 0) {
      return text;
    }
    String alone = "thread0 {\n" + text + "\n}";
    return switch (random.nextInt(5)) {
      case 0 -> "sync\n" + alone;
      case 1 -> alone + "\nsync";
      case 2 -> "sync\n" + alone + "\nsync";
      default -> alone;
    };
  }
}
