package dev.oriel.it.check;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.TextPosition;
import dev.oriel.it.options.ReadTexts;
import dev.oriel.it.options.SearchOptions;
import dev.oriel.it.options.SourceText;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.replay.CampaignResults;
import dev.oriel.sim.replay.CampaignText;
import dev.oriel.sim.replay.ChecksummedReport;
import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.StrategyTally;
import dev.oriel.sim.search.AnyLaunches;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.ExecutionShrinker;
import dev.oriel.sim.trace.TraceRecording;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A verdict for machines: one JSON object on one line; {@code it/docs/reference/check.md} names its
 * members.
 */
final class CheckJson {
  private static final String NOTHING = "nothing";

  private CheckJson() {}

  /** Whether this is the output of {@link #print} for a program without promises. */
  static boolean nothingPromised(@Nullable JsonValue outputs) {
    return outputs instanceof Members(var members) && new Whole(1).equals(members.get(NOTHING));
  }

  static String print(
      CheckCoverage coverage,
      Optional<SourceText> source,
      ReadTexts texts,
      Optional<ExecutionShrinker.Result> smaller,
      Optional<FailureSizes> sizes,
      SearchOptions search,
      CoverageStrictness strict,
      UnreachedWords unreached) {
    CheckCoverage.CheckedCombination one =
        strict.broken(coverage) ? coverage.silent() : coverage.shown();
    Combination shown = one.combination();
    CheckReport report = one.report();
    Program program = shown.program();
    String world = shown.world();
    Verdict v = report.verdict();
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("name", new Text(program.form().name()));
    all.put("world", new Text(world));
    all.put("params", params(program.params()));
    all.put(
        "combinations", new Elements(coverage.checked().stream().map(CheckJson::checked).toList()));
    all.put(
        "refused",
        new Elements(coverage.refused().stream().map(left -> refused(left, texts)).toList()));
    all.put("left", new Whole(coverage.left().count()));
    all.put("large", texts(coverage.unsearched().texts()));
    all.put("sampled", new Whole(coverage.sampled().combinations()));
    all.put("unreached", new Text(unreached.words().orElse("")));
    BindingSummary bound = new BindingSummary(program);
    all.put("lanes", texts(bound.lanes()));
    Map<String, JsonValue> values = new TreeMap<>();
    bound.values().forEach((name, value) -> values.put(name, new Text(value)));
    all.put("values", new Members(values));
    all.put("program", new Text(v.program()));
    all.put("lowered", new Text(v.lowered()));
    all.put("model", new Text(v.model()));
    sizes.ifPresent(of -> all.put("sizes", new Text(of.words())));
    all.put("launches", new Whole(v.launches()));
    all.put("executions", new Whole(v.executions()));
    all.put("states", new Whole(v.states()));
    all.put("bounds", texts(v.bounds()));
    all.put(PartReport.OUTPUTS, outputs(v.outputs()));
    boolean silent = v.holds() && strict.broken(v.outputs());
    List<CheckCoverage.RefusedCombination> wrong = v.holds() ? strict.wrong(coverage) : List.of();
    Optional<String> never = v.holds() ? strict.broken(unreached) : Optional.empty();
    boolean holds = v.holds() && !silent && wrong.isEmpty() && never.isEmpty();
    all.put("verdict", new Text(holds ? "holds" : "violation"));
    all.put("doubtful", new Whole(coverage.doubtful().size()));
    all.put(
        "strategies",
        new Elements(report.parts().stream().map(part -> strategy(part, report)).toList()));
    all.put(
        "violation",
        new Elements(
            v.holds() && !holds
                ? List.of(
                    violation(
                        !wrong.isEmpty()
                            ? refused(wrong.getFirst())
                            : silent ? silent(v.outputs()) : unreached(never.orElse("")),
                        report,
                        source,
                        smaller))
                : v.violation().stream()
                    .<JsonValue>map(found -> violation(found, report, source, smaller))
                    .toList()));
    CampaignResults part =
        CampaignResults.of(DividedWork.id(search, shown), search.shard(), tallies(report));
    all.put(PartReport.REPORT, CampaignText.json(part));
    return ChecksummedReport.of(all).print();
  }

  static JsonValue params(Map<String, Long> values) {
    Map<String, JsonValue> params = new TreeMap<>();
    values.forEach((name, value) -> params.put(name, new Whole(value)));
    return new Members(params);
  }

  private static JsonValue checked(CheckCoverage.CheckedCombination one) {
    Verdict v = one.report().verdict();
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("world", new Text(one.combination().world()));
    all.put("params", params(one.combination().program().params()));
    all.put("program", new Text(v.program()));
    all.put("executions", new Whole(v.executions()));
    all.put("states", new Whole(v.states()));
    all.put("bounds", texts(v.bounds()));
    all.put("complete", new Whole(ExplorationSummary.complete(one.report()) ? 1 : 0));
    all.put("verdict", new Text(v.holds() ? "holds" : "violation"));
    all.put("any_launches", new Whole(one.report().closed() ? 1 : 0));
    all.put(
        "any_launches_not", new Text(one.report().anyLaunches().map(AnyLaunches::why).orElse("")));
    return new Members(all);
  }

  static JsonValue refused(CheckCoverage.RefusedCombination one, ReadTexts texts) {
    Optional<TextPosition> at = texts.place(one.mistake()).flatMap(p -> p.mistake().position());
    return new Members(
        Map.of(
            "world", new Text(one.world()),
            "params", params(one.params()),
            "reason", new Text(one.reason()),
            "line", new Whole(at.map(TextPosition::line).orElse(0)),
            "column", new Whole(at.map(TextPosition::column).orElse(0))));
  }

  /** The violation of a combination that is refused although the text accepts it. */
  private static Verdict.Violation refused(CheckCoverage.RefusedCombination one) {
    return new Verdict.Violation(
        CoverageStrictness.REFUSED, one.where() + ": " + one.reason(), List.of());
  }

  private static Verdict.Violation unreached(String never) {
    return new Verdict.Violation(CoverageStrictness.UNREACHED, never, List.of());
  }

  /** The violation for outputs with unpromised bytes: no step leads there. */
  private static Verdict.Violation silent(OutputCoverage outputs) {
    return new Verdict.Violation(
        CoverageStrictness.KIND, CoverageStrictness.message(outputs), List.of());
  }

  private static JsonValue outputs(OutputCoverage outputs) {
    return new Members(
        Map.of(
            "ensures",
            new Whole(outputs.ensures()),
            "bytes",
            new Whole(outputs.bytes()),
            "promised",
            new Whole(outputs.promised()),
            "unpromised",
            new Whole(outputs.unpromised()),
            "conditional",
            new Elements(parts(outputs.conditional())),
            "silent",
            new Elements(parts(outputs.silent())),
            NOTHING,
            new Whole(outputs.nothing() ? 1 : 0)));
  }

  private static List<JsonValue> parts(List<OutputCoverage.Part> parts) {
    return parts.stream()
        .<JsonValue>map(part ->
            new Members(
                Map.of(
                    "buffer", new Text(part.buffer()),
                    "bytes", new Whole(part.bytes()),
                    "ranks",
                        new Elements(
                            part.ranks().stream().<JsonValue>map(rank -> new Whole(rank)).toList()),
                    "ranges",
                        new Elements(
                            part.ranges().stream()
                                .<JsonValue>map(range ->
                                    new Members(
                                        Map.of(
                                            "first", new Whole(range.first()),
                                            "last", new Whole(range.last()))))
                                .toList()))))
        .toList();
  }

  private static JsonValue strategy(CheckReport.Part part, CheckReport report) {
    boolean found = report.found().filter(f -> f.strategy() == part.strategy()).isPresent();
    return new Members(
        Map.of(
            "strategy", new Text(part.strategy().spelling()),
            "executions", new Whole(part.executions()),
            "states", new Whole(part.states()),
            "reduction", new Text(part.reduction()),
            "collisions", new Text(CheckLines.collisions(part)),
            "found", new Whole(found ? 1 : 0)));
  }

  static Members violation(
      Verdict.Violation violation,
      CheckReport report,
      Optional<SourceText> source,
      Optional<ExecutionShrinker.Result> smaller) {
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("kind", new Text(violation.kind()));
    all.put("message", new Text(violation.message()));
    all.put(
        "places",
        new Elements(
            report.found().stream()
                .flatMap(found ->
                    found.places().stream().map(place -> place(place, found.recording(), source)))
                .toList()));
    PlaceLines lines = new PlaceLines(source);
    all.put(
        "waits",
        texts(
            report.found().stream()
                .flatMap(found -> lines.waits(found.recording()).stream())
                .toList()));
    all.put("trace", texts(violation.trace()));
    all.put("token", new Text(token(report.found().flatMap(CheckReport.Found::token))));
    all.put("small", new Elements(smaller.stream().map(s -> small(s.same())).toList()));
    all.put(
        "smaller",
        new Elements(
            smaller.flatMap(ExecutionShrinker.Result::cut).stream()
                .map(CheckJson::small)
                .toList()));
    return new Members(all);
  }

  private static JsonValue place(
      ExecutionRecord.Place place, TraceRecording recording, Optional<SourceText> source) {
    Optional<SourceText.Line> line = source.flatMap(text -> text.line(place));
    return new Members(
        Map.of(
            "rank", new Whole(place.rank()),
            "lane", new Text(place.label()),
            "operation", new Whole(place.operation()),
            "line", new Whole(line.map(SourceText.Line::number).orElse(0)),
            "column", new Whole(line.map(SourceText.Line::column).orElse(0)),
            "text", new Text(line.map(SourceText.Line::text).orElse("")),
            "executed",
                new Text(
                    String.join(
                        "; ",
                        PlaceLines.values(
                            place, line.map(SourceText.Line::text).orElse(""), recording)))));
  }

  private static JsonValue small(ExecutionShrinker.Small small) {
    return new Members(
        Map.of(
            "token", new Text(small.token().toString()),
            "achieved", new Text(CheckLines.achieved(small.result())),
            "program", new Text(FormPrinter.print(small.form()))));
  }

  private static Map<String, StrategyTally> tallies(CheckReport report) {
    Map<String, StrategyTally> tallies = new TreeMap<>();
    for (CheckReport.Part part : report.parts()) {
      TreeMap<String, Long> bounds = new TreeMap<>();
      part.bounds().forEach(bound -> bounds.put(MergeCommand.BOUND + bound, 1L));
      Optional<StrategyTally.First> first =
          report
              .found()
              .filter(found -> violating(report, found).equals(part))
              .map(found ->
                  new StrategyTally.First(
                      found.execution(),
                      report.verdict().violation().orElseThrow().kind(),
                      token(found.token())));
      tallies.merge(
          part.strategy().spelling(),
          new StrategyTally(part.executions(), part.states(), bounds, first),
          StrategyTally::plus);
    }
    return tallies;
  }

  /**
   * The part that has the violation: that of its strategy, or the last one. A violation with other
   * inputs is found by another strategy, which has no part of its own.
   */
  private static CheckReport.Part violating(CheckReport report, CheckReport.Found found) {
    return report.parts().stream()
        .filter(part -> found.strategy() == part.strategy())
        .reduce((_, last) -> last)
        .orElseGet(() -> report.parts().getLast());
  }

  private static String token(Optional<ReplayToken> token) {
    return token.map(ReplayToken::toString).orElse("");
  }

  private static JsonValue texts(Collection<String> texts) {
    return new Elements(texts.stream().map(text -> (JsonValue) new Text(text)).toList());
  }
}
