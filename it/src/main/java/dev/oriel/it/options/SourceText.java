package dev.oriel.it.options;

import dev.oriel.domain.program.Parser;
import dev.oriel.domain.program.Position;
import dev.oriel.sim.machine.Story;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The text of a program as its author wrote it, for reports that name lines of it. */
public final class SourceText {
  private final List<String> lines;
  private final Map<String, List<Position>> operations;

  /** The text must have been parsed before: it is right. */
  SourceText(String text) {
    lines = text.lines().toList();
    operations = Parser.operations(text);
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
