package dev.oriel.it.options;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Position;
import dev.oriel.domain.program.parse.Parser;
import dev.oriel.sim.machine.finding.Story;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** The text of a program as its author wrote it, for reports that name lines of it. */
public final class SourceText {
  private final List<String> lines;
  private final Map<String, List<Position>> operations;

  /** The text must have been parsed before: it is right. */
  SourceText(String text) {
    lines = text.lines().toList();
    operations = Parser.operations(text);
  }

  /**
   * The text of that program's file; empty if it has none, or if options made another form of it.
   */
  public static Optional<SourceText> of(CommandSpec spec, String program, Form form) {
    return ProgramTexts.own(spec, program)
        .filter(text -> Parser.parse(text).lanes().equals(form.lanes()))
        .map(SourceText::new);
  }

  /** A line of the text, from 1 on, and what stands in it. */
  public record Line(int number, String text) {}

  /** The line on which the operation begins; empty if the text has none of that lane and number. */
  public Optional<Line> line(Story.Place place) {
    List<Position> of = operations.getOrDefault(place.lane(), List.of());
    if (place.operation() >= of.size()) {
      return Optional.empty();
    }
    int number = of.get(place.operation()).line();
    return Optional.of(new Line(number, lines.get(number - 1).strip()));
  }
}
