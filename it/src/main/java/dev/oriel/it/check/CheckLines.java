package dev.oriel.it.check;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.it.options.ReadTexts;
import dev.oriel.it.options.ReadTexts.PlacedMistake;
import dev.oriel.it.options.SourceText;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.it.words.WorldWords;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.replay.ExecutionCase;
import dev.oriel.sim.replay.Shrinker;
import dev.oriel.sim.search.AnyLaunches;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.ExecutionShrinker;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The details of a verdict for people: one fact a line, its name first. */
final class CheckLines {
  static final int COLUMN = 9;
  private static final int TRACE = 12;
  private static final int TEXT = 60;
  private final PrintWriter out;
  private final ReadTexts texts;
  private final PlaceLines places;

  /** The source is the program's text, if it was read from a text. */
  CheckLines(PrintWriter out, Optional<SourceText> source, ReadTexts texts) {
    this.out = out;
    this.texts = texts;
    this.places = new PlaceLines(source);
  }

  /** Digests, constants, reductions, and in full every bound and all omissions. */
  void details(CheckCoverage coverage, List<String> explored, List<String> unexplored) {
    Combination shown = coverage.shown().combination();
    CheckReport report = coverage.shown().report();
    Program program = shown.program();
    Verdict v = report.verdict();
    BindingSummary bound = new BindingSummary(program);
    if (!coverage.single()) {
      boolean several =
          coverage.checked().stream()
                  .map(one -> one.combination().program().form())
                  .distinct()
                  .count()
              > 1;
      coverage
          .checked()
          .forEach(one ->
              line(
                  "checked",
                  "%s%s",
                  several ? one.combination().program().form().name() + " in " : "",
                  checked(one)));
    }
    coverage
        .refused()
        .forEach(one ->
            line(
                "refused",
                "%s",
                one.world()
                    + Combination.values(one.params())
                    + ": "
                    + texts.place(one.mistake()).map(PlacedMistake::message).orElse(one.reason())));
    line("lanes", "%s", String.join(", ", bound.lanes()));
    if (!bound.values().isEmpty()) {
      line("values", "%s", values(bound));
    }
    line("digests", "program %s, lowered %s", v.program(), v.lowered());
    line("model", "world=%s, %s", shown.world(), v.model());
    line(
        "covered",
        "%s: executions=%d%s, launches=%d",
        v.strategy(),
        v.executions(),
        v.states() > 0 ? ", states=" + v.states() : "",
        v.launches());
    report.anyLaunches().ifPresent(any -> line("launches", "%s", launches(any)));
    report.parts().stream()
        .filter(part -> !part.reduction().equals(CheckReport.Part.NONE))
        .forEach(part -> line("reduced", "%s", reduction(part)));
    explored.forEach(what -> line("explored", "%s", what));
    coverage.bounds().forEach(hit -> line("bounded", "%s", hit));
    unexplored.forEach(what -> line("left out", "%s", what));
    List<String> named = coverage.left().groups();
    if (named.size() > 1) {
      named.forEach(group -> line("left out", "%s", group));
    }
    OutputCoverage outputs = v.outputs();
    line(
        "promised",
        "%d of %d output bytes; post-conditions: %d",
        outputs.promised(),
        outputs.bytes(),
        outputs.ensures());
    WorldWords.notPromised(outputs, program.world())
        .forEach(what -> line("", "not promised: %s", what));
  }

  /** Why a combination is refused, with the source line of the mistake. */
  void refused(CheckCoverage.RefusedCombination one) {
    Optional<PlacedMistake> placed = texts.place(one.mistake());
    line(
        "reason",
        "%s",
        one.where() + ": " + placed.map(PlacedMistake::message).orElse(one.reason()));
    placed.map(PlacedMistake::excerpt).stream()
        .flatMap(excerpt -> excerpt.lines().stream())
        .forEach(out::println);
  }

  private static String checked(CheckCoverage.CheckedCombination one) {
    Verdict v = one.report().verdict();
    return "%s: executions=%d, states=%d, bounds=%d, %s%s"
        .formatted(
            one.combination().words(),
            v.executions(),
            v.states(),
            v.bounds().size(),
            v.violation().map(Violation::kind).orElse("holds"),
            one.report().anyLaunches().map(any -> ", " + launches(any)).orElse(""));
  }

  /** Whether any number of launches is covered, or why not. */
  private static String launches(AnyLaunches any) {
    return any.closed()
        ? "any number of launches: states=%d".formatted(any.states())
        : "further launches not covered: "
            + any.why()
            + (any.drawn() > 0 ? "; drawn executions of %d".formatted(any.drawn()) : "");
  }

  private static String values(BindingSummary bound) {
    return bound.values().entrySet().stream()
        .map(value -> value.getKey() + "=" + value.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String reduction(CheckReport.Part part) {
    return "%s: %s; states=%d, expected to be taken for others=%s"
        .formatted(part.strategy().spelling(), part.reduction(), part.states(), collisions(part));
  }

  /** A number of two digits and an exponent, whatever the locale. */
  static String collisions(CheckReport.Part part) {
    return String.format(Locale.ROOT, "%.1e", part.collisions());
  }

  /** The reason of a failure, its place, its steps, and a smaller case with the same failure. */
  void violation(
      Violation violation,
      Optional<CheckReport.Found> found,
      Optional<ExecutionShrinker.Result> smaller,
      Optional<FailureSizes> sizes,
      boolean texts) {
    String name = "reason";
    for (String text : violation.message().lines().toList()) {
      for (String part : LabelledFacts.wrapped(text, LabelledFacts.WIDTH - COLUMN)) {
        line(name, "%s", part);
        name = "";
      }
    }
    sizes.ifPresent(of -> line("sizes", "%s", of.words()));
    found.ifPresent(f -> places.print(f.places(), f.recording(), out));
    List<String> trace = violation.trace();
    int hidden = Math.max(0, trace.size() - TRACE);
    line(
        "trace",
        "%d steps%s:",
        trace.size(),
        hidden == 0 ? "" : ", the last %d".formatted(trace.size() - hidden));
    for (int i = hidden; i < trace.size(); i++) {
      line("", "%s", trace.get(i) + step(found, i));
    }
    found.ifPresent(f ->
        line(
            "token",
            "%s",
            f.token().map(Object::toString).orElseGet(() -> "none: " + f.tokenless())));
    smaller.ifPresent(s -> smaller(s, texts));
  }

  /**
   * The source line, or the step of a plan, that a line of the trace belongs to, and the indices of
   * its loops.
   */
  private String step(Optional<CheckReport.Found> found, int line) {
    List<String> marks = new ArrayList<>();
    found
        .map(CheckReport.Found::operations)
        .filter(operations -> line < operations.size())
        .flatMap(operations -> operations.get(line))
        .flatMap(places::mark)
        .ifPresent(marks::add);
    found
        .map(f -> f.recording().events())
        .filter(events -> line < events.size())
        .map(events -> events.get(line).facts().loopText())
        .filter(loops -> !loops.isEmpty())
        .ifPresent(marks::add);
    return marks.isEmpty() ? "" : " [" + String.join(", ", marks) + "]";
  }

  private void smaller(ExecutionShrinker.Result smaller, boolean texts) {
    line("small", "the same program: %s", achieved(smaller.same().result()));
    line("", "%s", smaller.same().token());
    smaller
        .cut()
        .ifPresent(cut -> {
          line("smaller", "another program: %s", achieved(cut.result()));
          line("", "%s", cut.token());
          List<String> text = FormPrinter.print(cut.form()).lines().toList();
          if (texts && text.size() <= TEXT) {
            text.forEach(each -> line("", "  %s", each));
          } else if (texts) {
            line("", "its text has %d lines; write them with --small FILE", text.size());
          }
        });
  }

  /** The reductions, the number of executions, and whether the smallest case failed again. */
  static String achieved(Shrinker.Result result) {
    String amounts =
        result.passes().stream()
            .filter(pass -> pass.after() < pass.before())
            .map(pass -> amount(pass, result.smallest()))
            .collect(Collectors.joining(", "));
    return "%s; world=%s, executions=%d%s"
        .formatted(
            amounts.isEmpty() ? "nothing smaller" : amounts,
            result.smallest().world(),
            result.executions(),
            result.confirmed() ? "" : ", but it did not fail once more");
  }

  /** What became smaller, in the words of the options where they name it. */
  private static String amount(Shrinker.PassReport pass, ExecutionCase smallest) {
    if (pass.name().equals("profile")) {
      return "profile " + smallest.profile();
    }
    return pass.name().equals("sizes") && !smallest.params().isEmpty()
        ? smallest.params().entrySet().stream()
            .map(value -> value.getKey() + "=" + value.getValue())
            .collect(Collectors.joining(" "))
        : pass.name() + " " + pass.before() + " to " + pass.after();
  }

  private void line(String name, String format, Object... values) {
    out.println(line(name, format.formatted(values)));
  }

  /** A fact after its name. */
  static String line(String name, String fact) {
    return (name + " ".repeat(COLUMN - name.length()) + fact).stripTrailing();
  }
}
