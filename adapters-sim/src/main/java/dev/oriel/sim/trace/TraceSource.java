package dev.oriel.sim.trace;

import java.util.List;
import java.util.Map;

/**
 * The text of a recorded program.
 *
 * @param name of the file; empty for a text that was printed from the program
 * @param lines the text; empty if the program has none
 * @param operations for each lane the line of every operation, from 1
 */
public record TraceSource(String name, List<String> lines, Map<String, List<Integer>> operations) {
  /** No text, as for code of ranks. */
  public static final TraceSource NONE = new TraceSource("", List.of(), Map.of());

  public TraceSource {
    lines = List.copyOf(lines);
    operations = Map.copyOf(operations);
  }

  /** The line of the event's operation, from 1; 0 if it has none. */
  public int line(TraceEvent event) {
    return event.place().map(this::line).orElse(0);
  }

  private int line(TraceEvent.Place place) {
    List<Integer> of = operations.getOrDefault(place.lane(), List.of());
    return place.operation() < of.size() ? of.get(place.operation()) : 0;
  }

  /** The text of that line, without indentation. */
  public String text(int line) {
    return 0 < line && line <= lines.size() ? lines.get(line - 1).strip() : "";
  }
}
