package dev.oriel.sim.search;

import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.ExecutionRecord.Queue;
import dev.oriel.sim.machine.finding.ExecutionRecord.Wait;
import dev.oriel.sim.machine.finding.ExecutionRecorder;
import dev.oriel.sim.trace.ActorRole;
import dev.oriel.sim.trace.TraceActor;
import dev.oriel.sim.trace.TraceEvent;
import dev.oriel.sim.trace.TraceEventKind;
import dev.oriel.sim.trace.TraceFailure;
import dev.oriel.sim.trace.TraceRecording;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
          new TraceEvent(events.size(), e.actor(), e.launch(), kind(e), e.text(), e.cause(), ""));
    }
    List<Integer> involved = new ArrayList<>(story.recorder().involved());
    for (Wait wait : story.waits()) {
      involved.add(events.size());
      events.add(
          new TraceEvent(
              events.size(),
              wait.lane(),
              wait.launch(),
              TraceEventKind.WAIT,
              wait.text(),
              TraceEvent.NO_CAUSE,
              ""));
    }
    if (involved.isEmpty() && !events.isEmpty()) {
      involved.add(events.size() - 1);
    }
    Optional<TraceFailure> failure =
        story
            .finding()
            .map(f ->
                new TraceFailure(
                    f.kind().word(), f.message(), involved.stream().distinct().toList()));
    return new TraceRecording(code.form().name(), world, actors, events, failure, token);
  }

  private static TraceEventKind kind(ExecutionRecorder.Event event) {
    return switch (event.kind()) {
      case BEGIN -> TraceEventKind.BEGIN;
      case FETCH -> TraceEventKind.FETCH;
      case PLACE -> TraceEventKind.PLACE;
      case READ -> TraceEventKind.READ;
      case FILL -> TraceEventKind.COMPLETE;
      case GIVE_UP -> TraceEventKind.TIMEOUT;
      case STEP -> step(event.text().toLowerCase(Locale.ROOT).split(" ", 2)[0]);
    };
  }

  /** By the first word of an operation as its program spells it. */
  private static TraceEventKind step(String word) {
    return switch (word) {
      case "signal" -> TraceEventKind.SIGNAL;
      case "await", "wait", "poll", "join", "lock" -> TraceEventKind.OBSERVE;
      case "post" -> TraceEventKind.POST;
      case "load", "read" -> TraceEventKind.READ;
      case "move", "store", "put", "atomic", "unlock" -> TraceEventKind.WRITE;
      case "end" -> TraceEventKind.END;
      default -> TraceEventKind.STEP;
    };
  }
}
