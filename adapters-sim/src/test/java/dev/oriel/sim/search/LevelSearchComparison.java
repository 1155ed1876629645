package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.levels.LevelCount;
import dev.oriel.sim.levels.LevelMessage;
import dev.oriel.sim.levels.LevelPart;
import dev.oriel.sim.levels.NodeBlock;
import dev.oriel.sim.levels.SearchCluster;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** All executions of one program, depth first and level by level in several numbers of parts. */
public final class LevelSearchComparison implements UnaryOperator<String> {
  private static final int MAX_STATES = 5_000;
  private static final int MAX_DEPTH = 1_000;
  private static final String ALONE =
      "; on one core, since its states are kept as a whole, or no text tells workers what to search";
  private static final int[] PARTS = {1, 2, 5};

  /** The first difference, empty if there is none; and the states of a complete search. */
  public record Comparison(String difference, long states, boolean violation) {}

  /**
   * The argument is a line with shape and profile, then a text; the result is the difference, or
   * empty.
   */
  @Override
  public String apply(String program) {
    return compare(program).difference();
  }

  /**
   * A state that is seen again in a later level is not new. Steps of these programs only advance,
   * so no program here has such a state.
   */
  private static String merged() {
    LevelPart part = LevelPart.EMPTY;
    SplittableRandom random = new SplittableRandom(1);
    Set<Long> seen = new HashSet<>();
    for (int level = 0; level < 20; level++) {
      NodeBlock.Builder nodes = new NodeBlock.Builder();
      int fresh = 0;
      for (int i = 0; i < 30; i++) {
        long state = random.nextLong(300);
        nodes.node(state << 32, -state).decision(i).end();
        fresh += seen.add(state) ? 1 : 0;
      }
      LevelMessage message = new LevelMessage(nodes.build(), LevelCount.NONE);
      part = LevelMerge.next(part, List.of(message), 1);
      if (part.count().states() != fresh
          || part.frontier().count() != fresh
          || part.seen().length != 2 * seen.size()) {
        return "states of a level: new=%d, merged=%s".formatted(fresh, part.count());
      }
    }
    return "";
  }

  /** Compares the searches of a program. */
  @SuppressWarnings("StringSplitter")
  public static Comparison compare(String program) {
    if (!merged().isEmpty()) {
      return new Comparison(merged(), 0, false);
    }
    String[] parts = program.split("\n", 2);
    String[] head = parts[0].split(" ");
    Topology topology = Topology.parse(head[0]);
    Program bound = Program.bind(FormParser.parse(parts[1]), topology.world(), Map.of());
    DetectorSet detectors =
        Math.floorMod(parts[1].hashCode(), 2) == 0 ? DetectorSet.RESULTS : DetectorSet.ALL;
    ExecutionSettings settings =
        new ExecutionSettings(Profile.parse(head[1]), 1, detectors, TimeoutPolicy.NEVER);
    Budget budget = new Budget(1, MAX_STATES, MAX_DEPTH, Long.MAX_VALUE);
    Checker one = new Checker(Strategy.FULL, budget, 1, settings);
    CheckReport depthFirst = one.explore(bound, topology);
    long states = depthFirst.verdict().states();
    boolean found = depthFirst.found().isPresent();
    boolean cut =
        depthFirst.verdict().bounds().stream().anyMatch(bound1 -> bound1.startsWith("full: "));
    List<String> levels = List.of();
    for (int count : PARTS) {
      List<String> own = new ArrayList<>();
      SearchCluster cluster =
          LocalLevels.cluster(
              count,
              Optional.empty(),
              1,
              total -> {
                // Where a state lacked room, the search began anew.
                if (total.rooms().isEmpty()) {
                  own.add(text(total));
                }
              });
      CheckReport report = one.on(cluster).explore(bound, topology);
      String difference = difference(depthFirst, report, cut);
      if (!difference.isEmpty()) {
        return new Comparison("parts=%d: %s".formatted(count, difference), 0, false);
      }
      // What the levels came to, with the path that they chose: one core may find another first.
      if (count != PARTS[0] && !own.equals(levels)) {
        return new Comparison("parts=%d: %s%n%s".formatted(count, levels, own), 0, false);
      }
      levels = own;
    }
    // One state less than there are is a limit; as many, or one more, is none.
    if (!cut && !found && states > 1) {
      Budget tight = new Budget(1, states - 1, MAX_DEPTH, Long.MAX_VALUE);
      SearchCluster cluster = LocalLevels.cluster(2, Optional.empty(), 1);
      CheckReport report =
          new Checker(Strategy.FULL, tight, 1, settings).on(cluster).explore(bound, topology);
      if (report.verdict().bounds().stream().noneMatch(bound1 -> bound1.contains("states"))) {
        return new Comparison("no limit of states: " + report.verdict(), 0, false);
      }
    }
    return new Comparison("", cut || found ? 0 : states, found);
  }

  private static String text(LevelCount total) {
    byte[] path = total.violation();
    return "%d %d %d %d %s %b %s"
        .formatted(
            total.states(),
            total.steps(),
            total.executions(),
            total.work(),
            total.cuts(),
            total.endless(),
            path == null ? "" : HexFormat.of().formatHex(path));
  }

  /** Where one core reached its limit, only the kind of the limit is the same. */
  private static String difference(CheckReport one, CheckReport levels, boolean cut) {
    if (cut) {
      return levels.verdict().bounds().isEmpty() ? "complete: " + levels.verdict() : "";
    }
    String expected = shown(one);
    String actual = shown(levels);
    return expected.equals(actual) ? "" : "%s%nin levels: %s".formatted(expected, actual);
  }

  /** All that a user sees of a report, except that whole states need one core. */
  static String shown(CheckReport report) {
    String parts = report.parts().toString();
    return "%s%n%s%n%s%n%s"
        .formatted(
            report.verdict().violation(),
            report.verdict().bounds(),
            parts.replace(ALONE, ""),
            report.found().map(f -> f.token().map(Object::toString).orElse("none")));
  }
}
