package dev.oriel.it.options;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.TextPosition;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.program.parse.ParsedForm;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** A program's text as written, for reports that name its lines. */
public final class SourceText {
  private final List<String> lines;
  private final Map<String, List<TextPosition>> operations;

  private SourceText(String text, ParsedForm parsed) {
    lines = text.lines().toList();
    operations = parsed.operations();
  }

  /** The text of that program's file; empty if it has none, or if options changed the form. */
  public static Optional<SourceText> of(CommandSpec spec, String program, Form form) {
    return ProgramTexts.own(spec, program)
        .flatMap(text -> {
          ParsedForm parsed = FormParser.read(text);
          return parsed.form().lanes().equals(form.lanes())
              ? Optional.of(new SourceText(text, parsed))
              : Optional.empty();
        });
  }

  /** A line of the text, numbered from 1. */
  public record Line(int number, String text) {}

  /** The line on which the operation begins; empty if the text has no such lane and operation. */
  public Optional<Line> line(ExecutionRecord.Place place) {
    List<TextPosition> of = operations.getOrDefault(place.lane(), List.of());
    if (place.operation() >= of.size()) {
      return Optional.empty();
    }
    int number = of.get(place.operation()).line();
    return Optional.of(new Line(number, lines.get(number - 1).strip()));
  }
}
