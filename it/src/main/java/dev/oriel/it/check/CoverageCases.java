package dev.oriel.it.check;

import dev.oriel.domain.msccl.MscclDefect;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.it.options.ReadTexts;
import dev.oriel.it.options.ReadTexts.PlacedMistake;
import dev.oriel.it.options.SourceText;
import dev.oriel.it.report.CheckedCase;
import dev.oriel.it.report.CheckedCase.CaseFinding;
import dev.oriel.it.report.CheckedCase.CasePlace;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.trace.TraceRecording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The cases of a check, for reports: one for each checked combination and each refused one. */
final class CoverageCases {
  private final Optional<String> file;
  private final CoverageStrictness strict;
  private final ReadTexts texts;

  /**
   * @param file the program's text; empty if it is in no file
   */
  CoverageCases(Optional<String> file, CoverageStrictness strict, ReadTexts texts) {
    this.file = file;
    this.strict = strict;
    this.texts = texts;
  }

  List<CheckedCase> of(
      CheckCoverage coverage, Optional<SourceText> source, UnreachedWords unreached) {
    List<CheckedCase> cases = new ArrayList<>();
    for (CheckCoverage.CheckedCombination one : coverage.checked()) {
      cases.add(
          new CheckedCase(
              one.combination().program().form().name(),
              one.combination().words(),
              file,
              findings(one.report(), source),
              Optional.empty(),
              bounds(one.report())));
    }
    String name = coverage.shown().combination().program().form().name();
    for (CheckCoverage.RefusedCombination one : coverage.refused()) {
      boolean wrong = strict.wrong(coverage).contains(one);
      cases.add(
          new CheckedCase(
              name,
              one.world() + Combination.values(one.params()),
              file,
              wrong ? List.of(refused(one)) : List.of(),
              wrong ? Optional.empty() : Optional.of(one.reason()),
              List.of()));
    }
    strict
        .broken(unreached)
        .ifPresent(never ->
            cases.add(
                new CheckedCase(
                    name,
                    "every line",
                    file,
                    List.of(unreached(never, unreached.line())),
                    Optional.empty(),
                    List.of())));
    for (String left : coverage.unchecked()) {
      String reason = "too much work by default; --world and --set check one";
      cases.add(new CheckedCase(name, left, file, List.of(), Optional.of(reason), List.of()));
    }
    return cases;
  }

  /** How the search was cut short, and whether later launches are covered. */
  private static List<String> bounds(CheckReport report) {
    List<String> bounds = new ArrayList<>(BoundWords.of(report.verdict().bounds()));
    if (report.found().isEmpty() && !report.closed()) {
      bounds.add("not every order of more than %d launches".formatted(report.verdict().launches()));
    }
    return bounds;
  }

  private CaseFinding refused(CheckCoverage.RefusedCombination one) {
    List<CasePlace> places =
        texts.place(one.mistake()).flatMap(p -> p.mistake().position()).stream()
            .map(at -> new CasePlace(at.line(), at.column(), ""))
            .toList();
    return new CaseFinding(CoverageStrictness.REFUSED, one.reason(), places, List.of());
  }

  private static CaseFinding unreached(String never, Optional<SourceText.Line> line) {
    List<CasePlace> places =
        line.stream().map(at -> new CasePlace(at.number(), at.column(), "")).toList();
    return new CaseFinding(CoverageStrictness.UNREACHED, never, places, List.of());
  }

  private List<CaseFinding> findings(CheckReport report, Optional<SourceText> source) {
    Verdict verdict = report.verdict();
    if (verdict.violation().isPresent()) {
      return List.of(violation(verdict.violation().get(), report.found(), source));
    }
    return strict.broken(verdict.outputs())
        ? List.of(
            new CaseFinding(
                CoverageStrictness.KIND,
                CoverageStrictness.message(verdict.outputs()),
                List.of(),
                List.of()))
        : List.of();
  }

  private static CaseFinding violation(
      Verdict.Violation violation, Optional<CheckReport.Found> found, Optional<SourceText> source) {
    List<CasePlace> places =
        found.stream()
            .flatMap(f -> f.places().stream().map(place -> place(place, f.recording(), source)))
            .toList();
    List<String> details = new ArrayList<>();
    found.ifPresent(f -> details.addAll(new PlaceLines(source).waits(f.recording())));
    found.flatMap(CheckReport.Found::token).ifPresent(token -> details.add("token: " + token));
    return new CaseFinding(violation.kind(), violation.message(), places, details);
  }

  private static CasePlace place(
      ExecutionRecord.Place place, TraceRecording recording, Optional<SourceText> source) {
    String agent = place.agent();
    String part = place.isEnsure() ? "ensure" : "operation";
    Optional<SourceText.Line> line = source.flatMap(text -> text.line(place));
    String executed =
        PlaceLines.values(place, line.map(SourceText.Line::text).orElse(""), recording).stream()
            .map("; "::concat)
            .collect(Collectors.joining());
    return line.map(
            at -> new CasePlace(at.number(), at.column(), agent + ": " + at.text() + executed))
        .orElseGet(() ->
            new CasePlace(
                0, 0, "%s, %s=%d%s".formatted(agent, part, place.operation() + 1, executed)));
  }

  /** The single case of a plan that is wrong in every execution. */
  List<CheckedCase> of(String plan, List<MscclDefect> defects) {
    List<CaseFinding> findings =
        defects.stream()
            .map(defect ->
                new CaseFinding(
                    defect.kind().word(),
                    defect.reason(),
                    defect.places().stream()
                        .map(place ->
                            new CasePlace(place.at().line(), place.at().column(), place.words()))
                        .toList(),
                    List.of()))
            .toList();
    return List.of(new CheckedCase(plan, "", file, findings, Optional.empty(), List.of()));
  }

  /** The single case of a text that is no program, or of a program that cannot be bound. */
  List<CheckedCase> of(String name, ProgramException refused) {
    List<CaseFinding> findings = new ArrayList<>();
    for (Mistake mistake : refused.mistakes()) {
      Optional<PlacedMistake> placed = texts.place(refused, mistake);
      findings.add(
          new CaseFinding(
              CheckedCase.MISTAKE,
              placed.map(p -> p.mistake().statement()).orElseGet(mistake::message),
              placed.flatMap(p -> p.mistake().position()).stream()
                  .map(at -> new CasePlace(at.line(), at.column(), ""))
                  .toList(),
              List.of()));
    }
    return List.of(new CheckedCase(name, "", file, findings, Optional.empty(), List.of()));
  }

  /** The single case of a file that was not checked, for that reason. */
  List<CheckedCase> of(String name, String reason) {
    return List.of(
        new CheckedCase(
            name,
            "",
            file,
            List.of(new CaseFinding(CheckedCase.MISTAKE, reason, List.of(), List.of())),
            Optional.empty(),
            List.of()));
  }
}
