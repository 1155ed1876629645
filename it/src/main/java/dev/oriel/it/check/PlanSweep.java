package dev.oriel.it.check;

import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.msccl.MscclPlan;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.PlanPrograms;
import dev.oriel.it.options.SearchOptions;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Checks all plans of a folder, each as {@code check} does with its file alone, and prints one line
 * for each.
 */
final class PlanSweep {
  /** Options of one program, which a folder does not take. */
  static final List<String> ELSEWHERE =
      List.of(
          "--world",
          "--set",
          "--bytes",
          "--in-place",
          "--offset",
          "--type",
          "--op",
          "--tuning",
          "--algorithm",
          "--picture",
          "--small",
          "--json",
          "--shard",
          "--strict",
          "--verbose");

  private static final String SUFFIX = ".xml";

  private final CommandSpec spec;
  private final SearchOptions search;

  PlanSweep(CommandSpec spec, SearchOptions search) {
    this.spec = spec;
    this.search = search;
  }

  /** What became of a file. */
  private enum Outcome {
    HOLDS,
    BOUNDED,
    VIOLATION,
    REFUSED;

    String word() {
      return this == VIOLATION ? name() : name().toLowerCase(Locale.ROOT);
    }
  }

  private record Row(Outcome outcome, String plan, String reason) {}

  /** Files in the order of their paths; a refused file is not a plan that holds. */
  int run(Path folder) throws IOException {
    List<Path> files = files(folder);
    if (files.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "no plan in the folder: path=%s, suffix=%s; give a folder with MSCCL XML"
              .formatted(folder, SUFFIX));
    }
    PrintWriter out = spec.commandLine().getOut();
    Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    for (Path file : files) {
      Row row = row(file);
      counts.merge(row.outcome, 1, Integer::sum);
      out.println(
          "%-10s %-28s %s".formatted(row.outcome.word(), row.plan, folder.relativize(file)));
      LabelledFacts.wrapped(row.reason, LabelledFacts.WIDTH - 11).stream()
          .filter(line -> !line.isEmpty())
          .forEach(line -> out.println(" ".repeat(11) + line));
      out.flush();
    }
    out.println();
    out.println(
        "%d files: %s"
            .formatted(
                files.size(),
                counts.entrySet().stream()
                    .map(count -> count.getValue() + " " + count.getKey().word())
                    .collect(Collectors.joining(", "))));
    if (counts.containsKey(Outcome.VIOLATION)) {
      return ExitCodes.VIOLATION;
    }
    return counts.containsKey(Outcome.REFUSED) ? ExitCodes.WRONG_USE : ExitCodes.FINE;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(SUFFIX))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  private Row row(Path file) {
    String plan = "";
    try {
      Optional<PlanPrograms> programs = PlanPrograms.of(spec, file);
      if (programs.isEmpty()) {
        return new Row(Outcome.REFUSED, plan, "the file has no XML");
      }
      plan = words(programs.get().plan());
      List<MscclDefect> defects = programs.get().defects();
      return defects.isEmpty()
          ? explored(programs.get(), plan)
          : new Row(Outcome.VIOLATION, plan, defects.getFirst().reason());
    } catch (IllegalArgumentException | MachineException | ParameterException e) {
      return new Row(Outcome.REFUSED, plan, String.valueOf(e.getMessage()));
    }
  }

  private Row explored(PlanPrograms programs, String plan) {
    CombinationPlan combinations =
        new CombinationPlan(programs.forms(), List.of(programs.world()), Map.of(), true);
    CheckCoverage coverage =
        new CombinationSearch(search.checker(), search.smaller(), 1).run(combinations);
    Verdict shown = coverage.shown().report().verdict();
    if (coverage.failed()) {
      Verdict.Violation violation = shown.violation().orElseThrow();
      String first = violation.message().lines().findFirst().orElse("");
      return new Row(
          Outcome.VIOLATION,
          plan,
          "%s: %s: %s"
              .formatted(
                  coverage.shown().combination().program().form().name(), violation.kind(), first));
    }
    if (!coverage.refused().isEmpty()) {
      return new Row(Outcome.REFUSED, plan, coverage.refused().getFirst().reason());
    }
    return coverage.bounds().isEmpty()
        ? new Row(Outcome.HOLDS, plan, programs.note().map(note -> "note: " + note).orElse(""))
        : new Row(
            Outcome.BOUNDED,
            plan,
            "nothing found within: " + String.join("; ", BoundWords.of(coverage.bounds())));
  }

  private static String words(MscclPlan plan) {
    return "%s, %d gpus, %s"
        .formatted(plan.collectiveName(), plan.world(), plan.protocol().spelling());
  }
}
