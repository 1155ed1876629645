package dev.oriel.it.check;

import dev.oriel.it.options.SourceText;
import dev.oriel.it.words.LabelledFacts;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.trace.PrecedingWait;
import dev.oriel.sim.trace.StepFacts;
import dev.oriel.sim.trace.TraceActor;
import dev.oriel.sim.trace.TraceEvent;
import dev.oriel.sim.trace.TraceFailure;
import dev.oriel.sim.trace.TraceRecording;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** The operations that a finding names, with the lines of the program's file if it has one. */
final class PlaceLines {
  /** The most executions of one operation. */
  private static final int INSTANCES = 3;

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

  /** For a race, the last wait of each lane before its access, and what satisfied it. */
  List<String> waits(TraceRecording recording) {
    return PrecedingWait.of(recording).stream()
        .map(wait -> wait.sentence(recording, event -> mark(recording, event)))
        .toList();
  }

  private Optional<String> mark(TraceRecording recording, TraceEvent event) {
    TraceActor actor = recording.actor(event);
    return event
        .place()
        .map(
            at -> new ExecutionRecord.Place(actor.rank(), at.lane(), actor.label(), at.operation()))
        .flatMap(this::mark);
  }

  /** The operations, each with the values that it had in the recorded failure. */
  void print(List<ExecutionRecord.Place> places, TraceRecording recording, PrintWriter out) {
    String name = "places";
    for (ExecutionRecord.Place place : places) {
      Optional<SourceText.Line> at = source.flatMap(text -> text.line(place));
      if (at.isPresent()) {
        String fact =
            "line=%d, %s: %s".formatted(at.get().number(), place.agent(), at.get().text());
        out.println(CheckLines.line(name, fact));
        values(place, at.get().text(), recording)
            .forEach(values -> out.println(CheckLines.line("", "  " + values)));
        name = "";
      }
    }
    name = "waits";
    for (String wait : waits(recording)) {
      for (String part : LabelledFacts.wrapped(wait, LabelledFacts.WIDTH - CheckLines.COLUMN)) {
        out.println(CheckLines.line(name, part));
        name = "";
      }
    }
  }

  /**
   * The operation with numbers in place of names, once for each execution that the failure names;
   * empty if that says no more than its line.
   */
  static List<String> values(ExecutionRecord.Place place, String line, TraceRecording recording) {
    return recording.failure().map(TraceFailure::events).orElse(List.of()).stream()
        .map(recording.events()::get)
        .filter(event -> recording.actor(event).rank() == place.rank())
        .filter(event ->
            event
                .place()
                .equals(Optional.of(new TraceEvent.Place(place.lane(), place.operation()))))
        .filter(event -> !event.text().equals(line))
        .map(event ->
            "launch %d%s: %s%s"
                .formatted(event.launch(), names(event.facts()), event.text(), seen(event.facts())))
        .distinct()
        .limit(INSTANCES)
        .toList();
  }

  private static String names(StepFacts facts) {
    return facts.nameText().isEmpty() ? "" : ", " + facts.nameText();
  }

  private static String seen(StepFacts facts) {
    return facts.seen().isEmpty() ? "" : "; " + facts.seenText();
  }
}
