package dev.oriel.it.check;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.msccl.MscclReader;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.OneSidedForms;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.rewrite.GraphReplay;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.PlanMode;
import dev.oriel.it.options.PlanPrograms;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.it.options.ReadTexts;
import dev.oriel.it.options.SearchOptions;
import dev.oriel.it.options.SourceText;
import dev.oriel.it.report.CheckedCase;
import dev.oriel.it.report.ReportOptions;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.replay.ChecksummedReport;
import dev.oriel.sim.replay.JsonValue;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Checks all program texts and all plans of a folder, each as {@code check} does with its file
 * alone, and prints one line for each.
 */
final class FolderSweep {
  /** Options of one program, which a folder does not take. */
  static final List<String> ELSEWHERE =
      List.of(
          "--world",
          "--set",
          "--bytes",
          "--in-place",
          "--offset",
          "--vary",
          "--type",
          "--op",
          "--tuning",
          "--algorithm",
          "--picture",
          "--small",
          "--shard",
          "--campaign",
          "--verbose");

  private static final String TEXT = ".oriel";
  private static final List<String> PLANS = List.of(".xml", ".json");

  /** Words of which every plan has one: the first element in XML, the list of ranks in JSON. */
  private static final List<String> MARKS = List.of("<algo", "\"gpus\"");

  private final CommandSpec spec;
  private final SearchOptions search;
  private final PlanMode mode;
  private final ReportOptions reports;
  private final CoverageStrictness strict;
  private final List<CheckedCase> cases = new ArrayList<>();
  private final List<JsonValue> rows = new ArrayList<>();

  FolderSweep(
      CommandSpec spec,
      SearchOptions search,
      PlanMode mode,
      ReportOptions reports,
      CoverageStrictness strict) {
    this.spec = spec;
    this.strict = strict;
    this.search = search;
    this.mode = mode;
    this.reports = reports;
  }

  /** All files, with the outcome of each. */
  String json() {
    return ChecksummedReport.of(new TreeMap<>(Map.of("files", new JsonValue.Elements(rows))))
        .print();
  }

  /** What became of a file. */
  private enum Outcome {
    HOLDS,
    BOUNDED,
    /** Nothing was found, and nothing is promised. */
    UNPROMISED,
    VIOLATION,
    REFUSED,
    SKIPPED;

    String word() {
      return this == VIOLATION ? name() : name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param program what the file describes
   */
  private record Row(Outcome outcome, String program, String reason) {}

  /** Files in the order of their paths; a refused file is no program that holds. */
  int run(Path folder, boolean table) throws IOException {
    List<Path> files = files(folder);
    if (files.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "no program in the folder: path=%s, suffixes=%s %s; give a folder with program texts, MSCCL XML or MSCCL++ execution plans"
              .formatted(folder, TEXT, String.join(" ", PLANS)));
    }
    PrintWriter out = table ? spec.commandLine().getOut() : new PrintWriter(Writer.nullWriter());
    Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    for (Path file : files) {
      Row row = row(file);
      counts.merge(row.outcome, 1, Integer::sum);
      rows.add(
          new JsonValue.Members(
              Map.of(
                  "file", new JsonValue.Text(folder.relativize(file).toString()),
                  "verdict", new JsonValue.Text(row.outcome.word().toLowerCase(Locale.ROOT)),
                  "program", new JsonValue.Text(row.program),
                  "reason", new JsonValue.Text(row.reason))));
      out.println(
          "%-10s %-28s %s".formatted(row.outcome.word(), row.program, folder.relativize(file)));
      LabelledFacts.wrapped(row.reason, LabelledFacts.WIDTH - 11).stream()
          .filter(line -> !line.isEmpty())
          .forEach(line -> out.println(" ".repeat(11) + line));
      out.flush();
    }
    reports.write(cases);
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
    // Where nothing was checked, nothing is fine.
    boolean none = counts.keySet().equals(Set.of(Outcome.SKIPPED));
    return none || counts.containsKey(Outcome.REFUSED) ? ExitCodes.WRONG_USE : ExitCodes.FINE;
  }

  private List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(TEXT) || isPlan(file))
          .filter(Files::isRegularFile)
          .filter(file -> !reports.names(file))
          .sorted()
          .toList();
    }
  }

  private static boolean isPlan(Path file) {
    return PLANS.stream().anyMatch(file.toString()::endsWith);
  }

  /** Whether the file has the word without which no plan is one, or is too long to look. */
  private static boolean mayBePlan(Path file) {
    try {
      return Files.size(file) > MscclReader.MOST_TEXT
          || MARKS.stream()
              .anyMatch(
                  new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)::contains);
    } catch (IOException e) {
      return true;
    }
  }

  private Row row(Path path) {
    Path file = path.normalize();
    CoverageCases of = new CoverageCases(Optional.of(file.toString()), strict, ReadTexts.of(spec));
    String program = "";
    try {
      if (isPlan(file) && !mayBePlan(file)) {
        return new Row(Outcome.SKIPPED, program, "no plan: neither <algo> nor \"gpus\"");
      }
      Optional<PlanPrograms> plan = PlanPrograms.of(spec, file, mode);
      if (plan.isPresent()) {
        program = plan.get().plan().kind();
        List<MscclDefect> defects = plan.get().defects();
        if (!defects.isEmpty()) {
          cases.addAll(of.of(plan.get().plan().name(), defects));
          return new Row(Outcome.VIOLATION, program, defects.getFirst().reason());
        }
        CombinationPlan combinations =
            new CombinationPlan(
                plan.get().forms(), SmallWorlds.only(plan.get().world()), Map.of(), true);
        return explored(
            combinations,
            plan,
            program,
            of,
            form -> SourceText.of(spec, file.toString(), form, plan));
      }
      if (isPlan(file)) {
        String reason = "the file has no plan";
        cases.addAll(of.of(file.toString(), reason));
        return new Row(Outcome.REFUSED, program, reason);
      }
      Form text = ProgramTexts.form(spec, file.toString());
      boolean replayed = mode.graph().replayed() && GraphReplay.affects(text);
      Form form = replayed ? mode.graph().of(text) : text;
      Optional<SourceText> lines =
          SourceText.of(spec, file.toString(), text, plan)
              .map(all -> replayed ? all.with(mode.graph().origins(text)) : all);
      program = form.name();
      String first = OneSidedForms.in(form) ? ProgramOptions.NETWORK : SmallWorlds.FIRST;
      CombinationPlan combinations =
          new CombinationPlan(List.of(form), SmallWorlds.from(first, form), Map.of(), false);
      return explored(combinations, plan, program, of, _ -> lines);
    } catch (ProgramException e) {
      ReadTexts texts = ReadTexts.of(spec);
      cases.addAll(of.of(file.toString(), e));
      String reason =
          texts
              .place(e, e.mistakes().getFirst())
              .map(ReadTexts.PlacedMistake::message)
              .orElseGet(() -> String.valueOf(e.getMessage()));
      return new Row(Outcome.REFUSED, program, reason);
    } catch (IllegalArgumentException | MachineException | ParameterException e) {
      String reason = String.valueOf(e.getMessage());
      cases.addAll(of.of(file.toString(), reason));
      return new Row(Outcome.REFUSED, program, reason);
    }
  }

  private Row explored(
      CombinationPlan combinations,
      Optional<PlanPrograms> plan,
      String program,
      CoverageCases of,
      Function<Form, Optional<SourceText>> lines) {
    CheckCoverage coverage =
        new CombinationSearch(
                // Launches of plans are alike, and further ones take most of the time.
                plan.isPresent() ? search.deciding(false) : Optional.empty(),
                search.checker(),
                search.exhaustive(),
                search.longer(),
                search.smaller(),
                search.brief(),
                1)
            .run(combinations);
    Form form = coverage.shown().combination().program().form();
    Optional<SourceText> source = lines.apply(form);
    UnreachedWords unreached =
        coverage.failed() || plan.isPresent()
            ? UnreachedWords.NONE
            : UnreachedWords.of(coverage, source);
    cases.addAll(of.of(coverage, source, unreached));
    Verdict shown = coverage.shown().report().verdict();
    if (coverage.failed()) {
      Verdict.Violation violation = shown.violation().orElseThrow();
      String first = summary(violation.message());
      String kind = violation.kind() + ": ";
      String sizes =
          plan.flatMap(each -> FailureSizes.of(each, coverage, search))
              .map(each -> " " + each.words())
              .orElse("");
      return new Row(
          Outcome.VIOLATION,
          program,
          "%s%s: %s%s"
              .formatted(
                  form.name(),
                  lines(coverage, source),
                  first.startsWith(kind) ? first : kind + first,
                  sizes));
    }
    // A text is meant for some worlds and sizes; a plan is for one world, and each kind of call.
    if (plan.isPresent() && !coverage.refused().isEmpty()) {
      return new Row(Outcome.REFUSED, program, coverage.refused().getFirst().reason());
    }
    List<CheckCoverage.RefusedCombination> wrong = strict.wrong(coverage);
    if (!wrong.isEmpty()) {
      String place =
          ReadTexts.of(spec)
              .place(wrong.getFirst().mistake())
              .flatMap(p -> p.mistake().position())
              .map(at -> ", line " + at.line())
              .orElse("");
      return new Row(
          Outcome.VIOLATION,
          program,
          "%s%s: %s: %s"
              .formatted(
                  form.name(), place, CoverageStrictness.REFUSED, VerdictBlock.words(wrong)));
    }
    OutputCoverage outputs = coverage.silent().report().verdict().outputs();
    if (strict.broken(outputs)) {
      return new Row(
          Outcome.VIOLATION,
          program,
          "%s: %s: %s"
              .formatted(
                  form.name(), CoverageStrictness.KIND, CoverageStrictness.message(outputs)));
    }
    if (strict.broken(unreached).isPresent()) {
      return new Row(
          Outcome.VIOLATION,
          program,
          "%s: %s: %s"
              .formatted(form.name(), CoverageStrictness.UNREACHED, unreached.never().get()));
    }
    List<String> remarks = new ArrayList<>();
    if (!coverage.bounds().isEmpty()) {
      remarks.add("nothing found within: " + String.join("; ", BoundWords.of(coverage.bounds())));
    }
    if (plan.isEmpty() && coverage.open()) {
      remarks.add(
          "not every order of more than %d launches in %d of %d combinations"
              .formatted(
                  search.settings().launches(),
                  coverage.checked().size() - coverage.closed(),
                  coverage.checked().size()));
    }
    List<String> unchecked = plan.isEmpty() ? coverage.unchecked() : List.of();
    if (!unchecked.isEmpty()) {
      remarks.add("not searched: " + String.join(", ", unchecked));
    }
    unreached.words().ifPresent(words -> remarks.add("not for " + words));
    if (!coverage.doubtful().isEmpty()) {
      remarks.add("not for " + VerdictBlock.words(coverage.doubtful()));
    }
    if (plan.isEmpty() && outputs.unpromised() > 0) {
      remarks.add(
          "no ensure speaks of %d of %d output bytes"
              .formatted(outputs.unpromised(), outputs.bytes()));
    }
    plan.flatMap(PlanPrograms::note).ifPresent(note -> remarks.add("note: " + note));
    boolean nothing =
        plan.isEmpty()
            && coverage.checked().stream()
                .allMatch(one -> one.report().verdict().outputs().nothing());
    Outcome outcome =
        nothing
            ? Outcome.UNPROMISED
            : coverage.bounds().isEmpty()
                    && unchecked.isEmpty()
                    && unreached.words().isEmpty()
                    && (plan.isPresent() || !coverage.open())
                ? Outcome.HOLDS
                : Outcome.BOUNDED;
    return new Row(outcome, program, String.join("; ", remarks));
  }

  /** The lines of the operations that the finding names. */
  private static String lines(CheckCoverage coverage, Optional<SourceText> source) {
    PlaceLines places = new PlaceLines(source);
    List<String> marks =
        coverage.shown().report().found().stream()
            .flatMap(found -> found.places().stream())
            .flatMap(place -> places.mark(place).stream())
            .distinct()
            .toList();
    return marks.isEmpty() ? "" : ", " + String.join(", ", marks);
  }

  /** The cycle of a deadlock, or else its first wait: its first line only announces the others. */
  private static String summary(String message) {
    List<String> lines = message.lines().toList();
    return lines.stream()
        .filter(line -> line.startsWith("cycle: "))
        .findFirst()
        .orElseGet(() -> String.join(" ", lines.subList(0, Math.min(2, lines.size()))));
  }
}
