package dev.oriel.it.check;

import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Space;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The executions and assumptions of a search, in words. */
final class ExplorationSummary {
  private final CheckCoverage coverage;
  private final ExecutionSettings settings;

  ExplorationSummary(CheckCoverage coverage, ExecutionSettings settings) {
    this.coverage = coverage;
    this.settings = settings;
  }

  List<String> words() {
    List<String> words = new ArrayList<>();
    words.add(extent() + orders());
    sampled(coverage).ifPresent(words::add);
    if (settings.past() != 0) {
      words.add("as if after " + Long.toUnsignedString(settings.past()) + " launches");
    }
    if (!settings.faults().equals(FaultPlan.NONE)) {
      words.add("faults: " + settings.faults());
    }
    if (settings.timeouts() != TimeoutPolicy.NEVER) {
      words.add(
          settings.timeouts() == TimeoutPolicy.ANY
              ? "waits that may give up at any time"
              : "waits that give up when nothing else can go on");
    }
    words.add("memory rules: " + rules());
    Optional<String> fewer = fewer(coverage, settings);
    fewer.ifPresent(words::add);
    inputs().ifPresent(words::add);
    int lanes = lanes(coverage);
    if (fewer.isEmpty() && lanes > 1) {
      words.add("all %d lanes of a rank at once".formatted(lanes));
    }
    return words;
  }

  /** Combinations that were only executed once. */
  static Optional<String> sampled(CheckCoverage coverage) {
    CheckCoverage.Sampling made = coverage.sampled();
    return made.combinations() == 0
        ? Optional.empty()
        : Optional.of(
            "one execution of each of %s, of up to %s"
                .formatted(
                    count(made.combinations(), "other combination", "other combinations"),
                    count(made.ranks(), "rank", "ranks")));
  }

  /** One word before the rest; empty if neither word would be accurate. */
  private String extent() {
    if (coverage.failed()) {
      return "";
    }
    if (coverage.checked().stream().noneMatch(one -> visitsAll(one.report()))) {
      return "sampled: ";
    }
    return complete(coverage) && coverage.bounds().isEmpty() ? "complete: " : "";
  }

  private Optional<String> inputs() {
    Program program = coverage.shown().combination().program();
    if (program.form().buffers().stream().map(Buffer::space).noneMatch(Space::filled)) {
      return Optional.empty();
    }
    Set<String> loaded = InputWords.buffers(program);
    return Optional.of(
        "inputs: random bytes"
            + (loaded.isEmpty()
                ? ""
                : ", words of %s by the values that the text compares%s"
                    .formatted(
                        String.join(", ", loaded),
                        coverage.checked().size() > 1 ? " in the first of these" : "")));
  }

  /** How many lanes of a rank run at once, if some have to wait for room. */
  static Optional<String> fewer(CheckCoverage coverage, ExecutionSettings settings) {
    int blocks = ResidencyNeed.blocks(coverage);
    int resident = settings.profile().resident();
    return resident == 0 || resident >= blocks
        ? Optional.empty()
        : Optional.of(
            "%d of %d lanes of a rank at once, begun in %s"
                .formatted(
                    resident, blocks, settings.profile().anyStart() ? "any order" : "their order"));
  }

  /** The most lanes that a rank has. */
  static int lanes(CheckCoverage coverage) {
    int most = 0;
    for (CheckCoverage.CheckedCombination one : coverage.checked()) {
      Program program = one.combination().program();
      for (int rank = 0; rank < program.world(); rank++) {
        most = Math.max(most, program.rank(rank).lanes().size());
      }
    }
    return most;
  }

  /** Whether some exhaustive strategy completed. */
  static boolean complete(CheckReport report) {
    return report.found().isEmpty()
        && report.parts().stream().anyMatch(part -> made(report, part) && complete(part));
  }

  /** The same for all combinations. */
  static boolean complete(CheckCoverage coverage) {
    return coverage.checked().stream().allMatch(one -> complete(one.report()));
  }

  private static boolean visitsAll(CheckReport report) {
    return report.parts().stream().anyMatch(part -> made(report, part));
  }

  /** Whether it is an exhaustive search that was made here, not in the campaign's first part. */
  private static boolean made(CheckReport report, CheckReport.Part part) {
    boolean elsewhere =
        part.executions() == 0 && report.verdict().bounds().stream().anyMatch(BoundWords::shard);
    return part.strategy().visitsAll() && !elsewhere;
  }

  private static boolean complete(CheckReport.Part part) {
    return part.strategy().visitsAll() && part.bounds().stream().noneMatch(BoundWords::stops);
  }

  private String orders() {
    if (coverage.failed()) {
      int ran = coverage.shown().report().verdict().launches();
      return failing(count(ran, "launch", "launches")) + before();
    }
    String launches = count(settings.launches(), "launch", "launches");
    List<String> words = new ArrayList<>();
    long drawn = 0;
    for (CheckCoverage.CheckedCombination one : coverage.checked()) {
      for (CheckReport.Part part : one.report().parts()) {
        drawn += part.strategy().visitsAll() ? 0 : part.executions();
      }
    }
    if (coverage.checked().stream().anyMatch(one -> visitsAll(one.report()))) {
      words.add(
          (coverage.single() ? all(coverage.shown().report()) : most())
              + (coverage.decided() ? ", decided by one execution" : ""));
    }
    if (drawn > 0 || words.isEmpty()) {
      words.add(
          count(drawn, "drawn execution", "drawn executions")
              + (words.isEmpty() && !coverage.single()
                  ? " of %d combinations".formatted(coverage.checked().size())
                  : ""));
    }
    return String.join(" and ", words) + ", " + launches + " each" + further();
  }

  /** Launches after those, where they are covered or drawn. */
  private String further() {
    int closed = coverage.closed();
    boolean all = closed == coverage.checked().size();
    int drawn = coverage.drawnLaunches();
    return (closed == 0
            ? ""
            : (InputWords.tooMany(coverage.shown().combination().program()).isEmpty()
                    ? ", then any number of launches"
                    : ", then any number with 4 draws")
                + (all ? "" : " in %d of these".formatted(closed)))
        + (drawn == 0 ? "" : ", then drawn executions of %s launches".formatted(drawn(drawn)));
  }

  /** The fewest launches in one of the combinations, if others have more. */
  private String drawn(int most) {
    int least =
        coverage.leastDrawn().map(CheckCoverage.CheckedCombination::drawnLaunches).orElse(most);
    return least < most ? least + " to " + most : "up to " + most;
  }

  private String failing(String launches) {
    long executions = coverage.shown().report().verdict().executions();
    return executions == 1
        ? "1 execution of %s, which fails".formatted(launches)
        : "%d executions of %s each, of which the last fails".formatted(executions, launches);
  }

  private String before() {
    int before = coverage.checked().size() - 1;
    return before == 0
        ? ""
        : ", after %s in which nothing was found"
            .formatted(count(before, "other combination", "other combinations"));
  }

  private static String all(CheckReport report) {
    return report.parts().stream()
        .filter(part -> made(report, part))
        .map(part -> complete(part) ? every(part) : "a part of all orders")
        .collect(Collectors.joining(" and "));
  }

  /** The number of combinations in which all orders were explored. */
  private String most() {
    long all = coverage.checked().stream().filter(one -> uncut(one.report())).count();
    int of = coverage.checked().size();
    if (all == 0) {
      return "a part of all orders in each of %d combinations".formatted(of);
    }
    CheckReport.Part part =
        coverage.shown().report().parts().stream()
            .filter(each -> each.strategy().visitsAll())
            .findFirst()
            .orElseThrow();
    return every(part)
        + (all == of
            ? " in each of %d combinations".formatted(of)
            : " in %d of %d combinations, a part in the others".formatted(all, of));
  }

  private static boolean uncut(CheckReport report) {
    return report.parts().stream()
        .filter(part -> part.strategy().visitsAll())
        .allMatch(ExplorationSummary::complete);
  }

  private static String every(CheckReport.Part part) {
    return part.strategy() == Strategy.FULL
        ? "every order of all steps"
        : "every order of synchronisation";
  }

  /** Names are short; a table in it/docs/reference/profiles.md explains their assumptions. */
  private String rules() {
    String name = settings.profile().name();
    if (settings.profile().ordered()) {
      return name + " (every access at once, in one order)";
    }
    return switch (name) {
      case "L1" -> "L1 (PTX; RDMA in order)";
      case "L2" -> "L2 (PTX and RDMA)";
      case "L3" -> "L3 (PTX and RDMA at their weakest)";
      default -> name;
    };
  }

  private static String count(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
