package dev.oriel.sim.search;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextPosition;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.ExecutionRecord.Queue;
import dev.oriel.sim.machine.finding.ExecutionRecord.Wait;
import dev.oriel.sim.machine.finding.ExecutionRecorder;
import dev.oriel.sim.trace.ActorRole;
import dev.oriel.sim.trace.TraceActor;
import dev.oriel.sim.trace.TraceEvent;
import dev.oriel.sim.trace.TraceFailure;
import dev.oriel.sim.trace.TraceRecording;
import dev.oriel.sim.trace.TraceSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The story of an execution as a recording for pictures. Actors are lanes, then callers, then
 * queues; time is the number of the step. In a deadlock, the record of every waiting lane ends with
 * its wait.
 */
final class TraceConverter {
  private TraceConverter() {}

  static TraceRecording of(ExecutionRecord story, String world, String token) {
    WorldCode code = story.code();
    List<TraceActor> actors = new ArrayList<>();
    for (LaneInstructions lane : code.lanes()) {
      actors.add(new TraceActor(lane.rank(), lane.label(), ActorRole.LANE));
    }
    for (int rank = 0; rank < code.world(); rank++) {
      actors.add(new TraceActor(rank, "caller", ActorRole.CALLER));
    }
    for (Queue queue : story.queues()) {
      LaneInstructions lane = code.lanes().get(queue.lane());
      String number = queue.number() == 0 ? "" : " #" + queue.number();
      actors.add(
          new TraceActor(
              lane.rank(), lane.label() + " to " + queue.peer() + number, ActorRole.QUEUE));
    }
    List<TraceEvent> events = new ArrayList<>();
    for (ExecutionRecorder.Event e : story.recorder().events()) {
      events.add(
          new TraceEvent(
              events.size(),
              e.actor(),
              e.launch(),
              e.cause(),
              e.facts(),
              story.place(events.size()).map(TraceConverter::place)));
    }
    List<Integer> involved = new ArrayList<>(story.recorder().involved());
    for (Wait wait : story.waits()) {
      involved.add(events.size());
      events.add(
          new TraceEvent(
              events.size(),
              wait.lane(),
              wait.launch(),
              TraceEvent.NO_CAUSE,
              wait.facts(),
              story.place(wait).map(TraceConverter::place)));
    }
    if (involved.isEmpty() && !events.isEmpty()) {
      involved.addAll(story.recorder().writers());
      involved.add(events.size() - 1);
    }
    Optional<TraceFailure> failure =
        story
            .finding()
            .map(f ->
                new TraceFailure(
                    f.kind().word(), f.message(), involved.stream().distinct().toList()));
    TraceSource source =
        events.stream().anyMatch(event -> !event.facts().operation().isEmpty())
            ? printed(code.form())
            : TraceSource.NONE;
    return new TraceRecording(code.form().name(), world, actors, events, failure, token, source);
  }

  private static TraceEvent.Place place(ExecutionRecord.Place place) {
    return new TraceEvent.Place(place.lane(), place.operation());
  }

  /** The text that a form is printed as; none if it is longer than a text may be. */
  private static TraceSource printed(Form form) {
    String text = FormPrinter.print(form);
    try {
      Map<String, List<Integer>> lines = new HashMap<>();
      FormParser.read(text)
          .operations()
          .forEach((lane, at) -> lines.put(lane, at.stream().map(TextPosition::line).toList()));
      return new TraceSource("", text.lines().toList(), lines);
    } catch (ProgramException tooLong) {
      return TraceSource.NONE;
    }
  }
}
