package dev.oriel.it.options;

import dev.oriel.domain.msccl.TranslatedPlan;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.TextPosition;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.program.parse.ParsedForm;
import dev.oriel.domain.rewrite.FormOrigins;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.trace.TraceRecording;
import dev.oriel.sim.trace.TraceSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/** The lines of a program's file, for reports that name them. */
public final class SourceText {
  /** For each lane the line of every operation. */
  private final Map<String, List<Line>> operations;

  /** The line of each parameter; empty for a plan. */
  private final Map<String, Line> params;

  /** The line of every post-condition; empty for a plan. */
  private final List<Line> ensures;

  /** All lines of the file; empty for a plan, whose lines are no operations. */
  private final List<String> lines;

  private SourceText(
      Map<String, List<Line>> operations,
      Map<String, Line> params,
      List<Line> ensures,
      List<String> lines) {
    this.operations = operations;
    this.params = params;
    this.ensures = ensures;
    this.lines = lines;
  }

  /** A valid text. */
  private static SourceText of(String text, ParsedForm parsed) {
    List<String> lines = text.lines().toList();
    Map<String, List<Line>> operations = new HashMap<>();
    parsed
        .operations()
        .forEach((lane, positions) ->
            operations.put(lane, positions.stream().map(at -> line(lines, at)).toList()));
    List<Line> ensures =
        parsed.form().ensures().stream()
            .map(ensure -> line(lines, parsed.positions().position(ensure).orElseThrow()))
            .toList();
    Map<String, Line> params = new HashMap<>();
    for (Form.Param param : parsed.form().params()) {
      params.put(param.name(), line(lines, parsed.positions().position(param).orElseThrow()));
    }
    return new SourceText(operations, params, ensures, lines);
  }

  /** The lines of a form in which a parameter differs between launches. */
  SourceText with(String param, FormOrigins origins) {
    Line declared = Objects.requireNonNull(params.get(param));
    return with(origins, _ -> declared);
  }

  /** The lines of a form whose launches have numbers of the host: a lane counts them first. */
  public SourceText with(FormOrigins origins) {
    return with(origins, List::getFirst);
  }

  /**
   * The lines of a changed form.
   *
   * @param added the line of operations that the change adds to a lane with those lines
   */
  private SourceText with(FormOrigins origins, Function<List<Line>, Line> added) {
    Map<String, List<Line>> changed = new HashMap<>();
    origins
        .operations()
        .forEach((lane, from) -> {
          List<Line> of = Objects.requireNonNull(operations.get(lane));
          changed.put(
              lane,
              from.stream()
                  .map(number -> number == FormOrigins.ADDED ? added.apply(of) : of.get(number))
                  .toList());
        });
    return new SourceText(
        changed, params, origins.ensures().stream().map(ensures::get).toList(), lines);
  }

  private static Line line(List<String> lines, TextPosition at) {
    return new Line(at, lines.get(at.line() - 1).strip(), "");
  }

  /** The recording with the lines of this file in place of a printed text; a plan has none. */
  public TraceRecording in(TraceRecording recording, String name) {
    if (lines.isEmpty()) {
      return recording;
    }
    Map<String, List<Integer>> numbers = new HashMap<>();
    operations.forEach((lane, of) -> numbers.put(lane, of.stream().map(Line::number).toList()));
    return recording.with(new TraceSource(name, lines, numbers));
  }

  /** The steps of a plan, which may share a line of its file. */
  private static SourceText of(TranslatedPlan plan) {
    Map<String, List<Line>> operations = new HashMap<>();
    plan.steps()
        .forEach((lane, steps) ->
            operations.put(
                lane,
                steps.stream()
                    .map(step -> new Line(step.at(), step.words(), step.ids()))
                    .toList()));
    return new SourceText(operations, Map.of(), List.of(), List.of());
  }

  /** The same for a program that may be a plan. */
  public static Optional<SourceText> of(
      CommandSpec spec, String program, Form form, Optional<PlanPrograms> plan) {
    return plan.isPresent()
        ? plan.get().translated(form).map(SourceText::of)
        : of(spec, program, form);
  }

  /** The text of that program's file; empty if it has none, or if options changed the form. */
  private static Optional<SourceText> of(CommandSpec spec, String program, Form form) {
    return ProgramTexts.own(spec, program)
        .flatMap(text -> {
          ParsedForm parsed = FormParser.read(text);
          return parsed.form().lanes().equals(form.lanes())
              ? Optional.of(of(text, parsed))
              : Optional.empty();
        });
  }

  /**
   * The line of an operation, or of a plan's step.
   *
   * @param at where it begins
   * @param ids the ids of a plan's step; empty for all other programs
   */
  public record Line(TextPosition at, String text, String ids) {
    public int number() {
      return at.line();
    }

    public int column() {
      return at.column();
    }
  }

  /** The line on which the operation or post-condition begins; empty if the text has none such. */
  public Optional<Line> line(ExecutionRecord.Place place) {
    return place.isEnsure()
        ? at(ensures, place.operation())
        : line(place.lane(), place.operation());
  }

  /** The line of a lane's operation, counted from 0; empty if the text has none such. */
  public Optional<Line> line(String lane, int operation) {
    return at(operations.getOrDefault(lane, List.of()), operation);
  }

  private static Optional<Line> at(List<Line> lines, int number) {
    return number < lines.size() ? Optional.of(lines.get(number)) : Optional.empty();
  }
}
