package dev.oriel.it.check;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.it.words.WorldWords;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The verdict: the explored part, the unexplored part, the result, and a command to try next. It
 * has at most {@link #LINES} lines, or as many as it takes if the reader asked for them. A bound
 * that was reached always appears here, in words.
 */
final class VerdictBlock {
  static final int LINES = 10;

  private static final Map<Finding.Kind, String> SOUGHT =
      new EnumMap<>(
          Map.of(
              Finding.Kind.RACE, "races",
              Finding.Kind.DEADLOCK, "deadlocks",
              Finding.Kind.BOUNDS, "accesses out of bounds",
              Finding.Kind.CHECK, "failed checks"));

  private final CheckCoverage coverage;
  private final ExecutionSettings settings;
  private final CoverageStrictness strict;
  private final UnreachedWords unreached;
  private final boolean whole;

  /**
   * A verdict.
   *
   * @param unreached the blocks that no search executes
   * @param whole whether nothing is cut
   */
  VerdictBlock(
      CheckCoverage coverage,
      ExecutionSettings settings,
      CoverageStrictness strict,
      UnreachedWords unreached,
      boolean whole) {
    this.unreached = unreached;
    this.whole = whole;
    this.coverage = coverage;
    this.settings = settings;
    this.strict = strict;
  }

  /** A label and its items, in at most that many lines. */
  private record Section(String label, List<String> items, int most) {
    int size(int lines) {
      return new LabelledFacts().add(label, items, lines).size();
    }
  }

  /** Every section has a line; longer ones share the remaining lines, the most important first. */
  LabelledFacts facts(List<String> unexplored, String next, Optional<String> need) {
    OutputCoverage outputs = coverage.silent().report().verdict().outputs();
    CoverWords cover = new CoverWords(coverage);
    Section explored = new Section("explored", explored(), 3);
    Section unseen = new Section("not looked at", unexplored, 3);
    Section bounds = new Section("bounded", BoundWords.of(coverage.bounds()), 2);
    Section program = new Section("program", ParamWords.program(coverage), 2);
    Section worlds = new Section("world", cover.worlds(), 2);
    Section refused = new Section("refused", cover.refused(), 2);
    Section silent = new Section("not promised", notPromised(), outputs.nothing() ? 1 : 2);
    Section result = new Section("verdict", result(), 2);
    Section last = new Section("next", List.of(next), 1);
    Section note = new Section("note", need.stream().toList(), 1);
    List<Section> order =
        List.of(program, worlds, refused, explored, bounds, unseen, silent, result, last, note);
    Map<Section, Integer> lines = new HashMap<>();
    order.forEach(section -> lines.put(section, section.equals(result) ? 2 : 1));
    List<Section> wanting =
        List.of(program, explored, unseen, worlds, explored, bounds, silent, unseen, refused);
    for (Section section : wanting) {
      int more = lines.getOrDefault(section, 1) + 1;
      int used = order.stream().mapToInt(each -> each.size(lines.getOrDefault(each, 1))).sum();
      int added = section.size(more) - section.size(more - 1);
      if (more <= section.most && used + added <= LINES) {
        lines.put(section, more);
      }
    }
    LabelledFacts facts = new LabelledFacts();
    for (Section section : order) {
      if (section.equals(last)) {
        facts.next(next);
      } else {
        facts.add(
            section.label,
            section.items,
            whole ? Integer.MAX_VALUE : lines.getOrDefault(section, 1));
      }
    }
    return facts;
  }

  private List<String> notPromised() {
    CheckCoverage.CheckedCombination one = coverage.silent();
    Combination combination = one.combination();
    List<String> words =
        WorldWords.notPromised(one.report().verdict().outputs(), combination.program().world());
    if (coverage.failed() || coverage.single() || words.isEmpty()) {
      return words;
    }
    List<String> named = new ArrayList<>(words);
    named.set(0, combination.words() + ": " + words.getFirst());
    return named;
  }

  /** The explored executions and the assumptions, in full. */
  List<String> explored() {
    return new ExplorationSummary(coverage, settings).words();
  }

  private List<String> result() {
    Optional<Verdict.Violation> violation = coverage.shown().report().verdict().violation();
    if (violation.isPresent()) {
      return List.of("VIOLATION (%s)".formatted(violation.get().kind()));
    }
    String within = coverage.bounds().isEmpty() ? "" : " within the bounds above";
    List<CheckCoverage.RefusedCombination> wrong = strict.wrong(coverage);
    if (!wrong.isEmpty()) {
      return List.of(
          "VIOLATION (%s): %s; nothing else found%s"
              .formatted(CoverageStrictness.REFUSED, words(wrong), within));
    }
    if (strict.broken(coverage)) {
      return List.of(
          "VIOLATION (%s): no ensure speaks of the bytes above; nothing else found"
                  .formatted(CoverageStrictness.KIND)
              + within);
    }
    Optional<String> never = strict.broken(unreached);
    if (never.isPresent()) {
      return List.of(
          "VIOLATION (%s): %s; nothing else found%s"
              .formatted(CoverageStrictness.UNREACHED, never.get(), within));
    }
    if (coverage.checked().stream().allMatch(one -> one.report().verdict().outputs().nothing())) {
      String why =
          "%s. Looked only for %s; none found%s"
              .formatted(silence(coverage.shown().report().verdict().outputs()), looked(), within);
      return doubt().isEmpty()
          ? List.of("nothing promised: " + why)
          : List.of("nothing promised, nothing found" + doubt(), why);
    }
    return List.of("nothing found" + within + doubt());
  }

  private String doubt() {
    List<CheckCoverage.RefusedCombination> doubtful = coverage.doubtful();
    return except(
        Stream.concat(
            doubtful.isEmpty() ? Stream.empty() : Stream.of(words(doubtful)),
            unreached.words().stream()));
  }

  /** The first combination, how many more there are, and the reason of the first. */
  static String words(List<CheckCoverage.RefusedCombination> refused) {
    int more = refused.size() - 1;
    return "%s%s: %s"
        .formatted(
            refused.getFirst().where(),
            more == 0 ? "" : " and %d more".formatted(more),
            refused.getFirst().what());
  }

  private static String silence(OutputCoverage outputs) {
    return outputs.ensures() == 0
        ? "no ensure says what must come out"
        : "no ensure speaks of an output byte";
  }

  /** Mistakes that are found whatever a program promises, as far as detectors are on. */
  private String looked() {
    List<String> kinds = new ArrayList<>();
    SOUGHT.forEach((kind, words) -> {
      // In a total order of all accesses no two of them race.
      if (settings.detectors().finds(kind)
          && !(kind == Finding.Kind.RACE && settings.profile().ordered())) {
        kinds.add(words);
      }
    });
    return String.join(", ", kinds);
  }

  /** What a verdict leaves out, after the verdict. */
  static String except(Stream<String> left) {
    List<String> all = left.toList();
    return all.isEmpty() ? "" : ", but not for " + String.join(", and not for ", all);
  }
}
