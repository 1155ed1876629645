package dev.oriel.it.check;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Printer;
import dev.oriel.it.options.Release;
import dev.oriel.it.options.SourceText;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.finding.Story;
import dev.oriel.sim.replay.Campaign;
import dev.oriel.sim.replay.CampaignText;
import dev.oriel.sim.replay.Json;
import dev.oriel.sim.replay.Json.Elements;
import dev.oriel.sim.replay.Json.Members;
import dev.oriel.sim.replay.Json.Text;
import dev.oriel.sim.replay.Json.Whole;
import dev.oriel.sim.replay.SealedReport;
import dev.oriel.sim.replay.Shard;
import dev.oriel.sim.replay.Tally;
import dev.oriel.sim.replay.Token;
import dev.oriel.sim.search.Report;
import dev.oriel.sim.search.Shrinking;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A verdict for machines: one JSON object on one line; {@code CHECKING.md} names its members. */
final class CheckJson {
  private static final String NOTHING = "nothing";

  private CheckJson() {}

  /** Whether this is the output of {@link #print} for a program without promises. */
  static boolean nothingPromised(@Nullable Json outputs) {
    return outputs instanceof Members(var members) && new Whole(1).equals(members.get(NOTHING));
  }

  static String print(
      Coverage coverage,
      Optional<SourceText> source,
      Optional<Shrinking.Result> smaller,
      String campaign,
      Shard shard,
      Strictness strict) {
    Coverage.Checked one = strict.broken(coverage) ? coverage.silent() : coverage.shown();
    Combination shown = one.combination();
    Report report = one.report();
    Program program = shown.program();
    String world = shown.world();
    Verdict v = report.verdict();
    Map<String, Json> all = new TreeMap<>();
    all.put("name", new Text(program.form().name()));
    all.put("world", new Text(world));
    all.put("params", params(program.params()));
    all.put(
        "combinations", new Elements(coverage.checked().stream().map(CheckJson::checked).toList()));
    all.put("refused", new Elements(coverage.refused().stream().map(CheckJson::refused).toList()));
    all.put("left", new Whole(coverage.left()));
    Bound bound = new Bound(program);
    all.put("lanes", texts(bound.lanes()));
    Map<String, Json> values = new TreeMap<>();
    bound.values().forEach((name, value) -> values.put(name, new Text(value)));
    all.put("values", new Members(values));
    all.put("program", new Text(v.program()));
    all.put("lowered", new Text(v.lowered()));
    all.put("model", new Text(v.model()));
    all.put("launches", new Whole(v.launches()));
    all.put("executions", new Whole(v.executions()));
    all.put("states", new Whole(v.states()));
    all.put("bounds", texts(v.bounds()));
    all.put(MergeCommand.OUTPUTS, outputs(v.outputs()));
    boolean silent = v.holds() && strict.broken(v.outputs());
    all.put("verdict", new Text(v.holds() && !silent ? "holds" : "violation"));
    all.put(
        "strategies",
        new Elements(report.parts().stream().map(part -> strategy(part, report)).toList()));
    all.put(
        "violation",
        new Elements(
            silent
                ? List.of(violation(silent(v.outputs()), report, source, smaller))
                : v.violation().stream()
                    .map(found -> violation(found, report, source, smaller))
                    .toList()));
    String id =
        "release=%s, program=%s, lowered=%s, world=%s, %s, %s"
            .formatted(Release.NAME, v.program(), v.lowered(), world, v.model(), campaign);
    all.put("report", CampaignText.json(Campaign.of(id, shard, tallies(report))));
    return SealedReport.of(all).print();
  }

  private static Json params(Map<String, Long> values) {
    Map<String, Json> params = new TreeMap<>();
    values.forEach((name, value) -> params.put(name, new Whole(value)));
    return new Members(params);
  }

  private static Json checked(Coverage.Checked one) {
    Verdict v = one.report().verdict();
    return new Members(
        Map.of(
            "world", new Text(one.combination().world()),
            "params", params(one.combination().program().params()),
            "program", new Text(v.program()),
            "executions", new Whole(v.executions()),
            "states", new Whole(v.states()),
            "bounds", texts(v.bounds()),
            "complete", new Whole(Explored.complete(one.report()) ? 1 : 0),
            "verdict", new Text(v.holds() ? "holds" : "violation")));
  }

  private static Json refused(Coverage.Refused one) {
    return new Members(
        Map.of(
            "world", new Text(one.world()),
            "params", params(one.params()),
            "reason", new Text(one.reason())));
  }

  /** The violation for outputs with unpromised bytes: no step leads there. */
  private static Verdict.Violation silent(OutputCoverage outputs) {
    return new Verdict.Violation(
        Strictness.KIND,
        "no ensure speaks of %d of %d output bytes; promise them, or leave out --strict"
            .formatted(outputs.unpromised(), outputs.bytes()),
        List.of());
  }

  private static Json outputs(OutputCoverage outputs) {
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

  private static List<Json> parts(List<OutputCoverage.Part> parts) {
    return parts.stream()
        .<Json>map(part ->
            new Members(
                Map.of(
                    "buffer", new Text(part.buffer()),
                    "bytes", new Whole(part.bytes()),
                    "ranks",
                        new Elements(
                            part.ranks().stream().<Json>map(rank -> new Whole(rank)).toList()),
                    "ranges",
                        new Elements(
                            part.ranges().stream()
                                .<Json>map(range ->
                                    new Members(
                                        Map.of(
                                            "first", new Whole(range.first()),
                                            "last", new Whole(range.last()))))
                                .toList()))))
        .toList();
  }

  private static Json strategy(Report.Part part, Report report) {
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

  private static Json violation(
      Verdict.Violation violation,
      Report report,
      Optional<SourceText> source,
      Optional<Shrinking.Result> smaller) {
    Map<String, Json> all = new TreeMap<>();
    all.put("kind", new Text(violation.kind()));
    all.put("message", new Text(violation.message()));
    all.put(
        "places",
        new Elements(
            report.found().stream()
                .flatMap(found -> found.places().stream())
                .map(place -> place(place, source))
                .toList()));
    all.put("trace", texts(violation.trace()));
    all.put("token", new Text(token(report.found().flatMap(Report.Found::token))));
    all.put("small", new Elements(smaller.stream().map(s -> small(s.same())).toList()));
    all.put(
        "smaller",
        new Elements(
            smaller.flatMap(Shrinking.Result::cut).stream().map(CheckJson::small).toList()));
    return new Members(all);
  }

  private static Json place(Story.Place place, Optional<SourceText> source) {
    Optional<SourceText.Line> line = source.flatMap(text -> text.line(place));
    return new Members(
        Map.of(
            "rank", new Whole(place.rank()),
            "lane", new Text(place.label()),
            "operation", new Whole(place.operation()),
            "line", new Whole(line.map(SourceText.Line::number).orElse(0)),
            "text", new Text(line.map(SourceText.Line::text).orElse(""))));
  }

  private static Json small(Shrinking.Small small) {
    return new Members(
        Map.of(
            "token", new Text(small.token().toString()),
            "achieved", new Text(CheckLines.achieved(small.result())),
            "program", new Text(Printer.print(small.form()))));
  }

  private static Map<String, Tally> tallies(Report report) {
    Map<String, Tally> tallies = new TreeMap<>();
    for (Report.Part part : report.parts()) {
      TreeMap<String, Long> bounds = new TreeMap<>();
      part.bounds().forEach(bound -> bounds.put(MergeCommand.BOUND + bound, 1L));
      Optional<Tally.First> first =
          report
              .found()
              .filter(found -> found.strategy() == part.strategy())
              .map(found ->
                  new Tally.First(
                      found.execution(),
                      report.verdict().violation().orElseThrow().kind(),
                      token(found.token())));
      tallies.merge(
          part.strategy().spelling(),
          new Tally(part.executions(), part.states(), bounds, first),
          Tally::plus);
    }
    return tallies;
  }

  private static String token(Optional<Token> token) {
    return token.map(Token::toString).orElse("");
  }

  private static Json texts(Collection<String> texts) {
    return new Elements(texts.stream().map(text -> (Json) new Text(text)).toList());
  }
}
