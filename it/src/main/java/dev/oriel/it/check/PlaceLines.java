package dev.oriel.it.check;

import dev.oriel.it.options.SourceText;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** The operations that a finding names, with the lines of the program's file if it has one. */
final class PlaceLines {
  private final Optional<SourceText> source;

  PlaceLines(Optional<SourceText> source) {
    this.source = source;
  }

  /** The line of an operation, or the ids of the plan's step; empty without a text. */
  Optional<String> mark(ExecutionRecord.Place place) {
    return source
        .flatMap(text -> text.line(place))
        .map(line -> line.ids().isEmpty() ? "line " + line.number() : line.ids());
  }

  void print(List<ExecutionRecord.Place> places, PrintWriter out) {
    String name = "places";
    for (ExecutionRecord.Place place : places) {
      Optional<SourceText.Line> at = source.flatMap(text -> text.line(place));
      if (at.isPresent()) {
        String fact =
            "line=%d, rank=%d, lane=%s: %s"
                .formatted(at.get().number(), place.rank(), place.label(), at.get().text());
        out.println(CheckLines.line(name, fact));
        name = "";
      }
    }
  }
}
