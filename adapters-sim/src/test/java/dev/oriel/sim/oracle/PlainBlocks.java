package dev.oriel.sim.oracle;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The texts of {@link PlainPrograms} with blocks of one GPU in place of ranks, some of them in
 * clusters. Each signals in a slot of its own. Signals, awaits and fences may have any scope.
 */
final class PlainBlocks {
  private static final List<String> SCOPES = List.of("", " gpu", " cluster", " cluster", " cta");
  private static final Pattern AGENT = Pattern.compile("\\s*if r == (\\d) \\{");
  private static final Pattern AWAITED = Pattern.compile("await (\\w)\\[\\d]@(\\d)");
  private static final Pattern SIGNALLED = Pattern.compile("(signal S|notify N)\\[\\d]");
  private static final Pattern SYNCHRONISES =
      Pattern.compile("\\s*(signal S\\[\\d]@|await S\\[|order).*");

  private final Random random;
  private int agent;

  private PlainBlocks(long seed) {
    random = new Random(seed);
  }

  /** As many agents as lanes, in clusters of that size, and no caller, since all would share it. */
  static String text(long seed, int lanes, int cluster) {
    PlainBlocks blocks = new PlainBlocks(seed);
    return PlainPrograms.text(seed, lanes, false)
        .lines()
        .filter(line -> !line.matches("barrier B|(input|output|ensure) .*"))
        .map(blocks::line)
        .collect(Collectors.joining("\n"))
        .replaceAll("signal (\\w)\\[\\d]\n", "signal $1[4]\n")
        .replaceAll(
            "lane main: \\S+", "lane main(i < %d): sm(32) cluster(%d)".formatted(lanes, cluster))
        .replace("if r == ", "if i == ")
        .replace("barrier B", "sync")
        .replace(" in[0]", " mine[0]")
        .replaceAll(" out(@0)?\\[0]", " box$1[0]");
  }

  private String line(String text) {
    var begins = AGENT.matcher(text);
    agent = begins.matches() ? Integer.parseInt(begins.group(1)) : agent;
    String line = AWAITED.matcher(text).replaceAll("await $1[$2]@0");
    line = text.contains("@") ? SIGNALLED.matcher(line).replaceAll("$1[" + agent + "]") : line;
    line = line.replaceAll("@\\d", "@0");
    return SYNCHRONISES.matcher(line).matches()
        ? line.replaceAll(" (gpu|sys)$", "") + SCOPES.get(random.nextInt(SCOPES.size()))
        : line;
  }
}
