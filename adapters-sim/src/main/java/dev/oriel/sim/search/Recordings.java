package dev.oriel.sim.search;

import dev.oriel.sim.code.LaneCode;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.finding.Recorder;
import dev.oriel.sim.machine.finding.Story;
import dev.oriel.sim.machine.finding.Story.Queue;
import dev.oriel.sim.machine.finding.Story.Wait;
import dev.oriel.sim.trace.Actor;
import dev.oriel.sim.trace.Event;
import dev.oriel.sim.trace.Failure;
import dev.oriel.sim.trace.Kind;
import dev.oriel.sim.trace.Recording;
import dev.oriel.sim.trace.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The story of an execution as a recording for pictures. Actors are lanes, then callers, then
 * queues; time is the number of the step. In a deadlock, the record of every waiting lane ends with
 * its wait.
 */
final class Recordings {
  private Recordings() {}

  static Recording of(Story story, String world, String token) {
    WorldCode code = story.code();
    List<Actor> actors = new ArrayList<>();
    for (LaneCode lane : code.lanes()) {
      actors.add(new Actor(lane.rank(), lane.label(), Role.LANE));
    }
    for (int rank = 0; rank < code.world(); rank++) {
      actors.add(new Actor(rank, "caller", Role.CALLER));
    }
    for (Queue queue : story.queues()) {
      LaneCode lane = code.lanes().get(queue.lane());
      String number = queue.number() == 0 ? "" : " #" + queue.number();
      actors.add(new Actor(lane.rank(), lane.label() + " to " + queue.peer() + number, Role.QUEUE));
    }
    List<Event> events = new ArrayList<>();
    for (Recorder.Event e : story.recorder().events()) {
      events.add(new Event(events.size(), e.actor(), e.launch(), kind(e), e.text(), e.cause(), ""));
    }
    List<Integer> involved = new ArrayList<>(story.recorder().involved());
    for (Wait wait : story.waits()) {
      involved.add(events.size());
      events.add(
          new Event(
              events.size(),
              wait.lane(),
              wait.launch(),
              Kind.WAIT,
              wait.text(),
              Event.NO_CAUSE,
              ""));
    }
    if (involved.isEmpty() && !events.isEmpty()) {
      involved.add(events.size() - 1);
    }
    Optional<Failure> failure =
        story
            .finding()
            .map(f ->
                new Failure(f.kind().word(), f.message(), involved.stream().distinct().toList()));
    return new Recording(code.form().name(), world, actors, events, failure, token);
  }

  private static Kind kind(Recorder.Event event) {
    return switch (event.kind()) {
      case BEGIN -> Kind.BEGIN;
      case FETCH -> Kind.FETCH;
      case PLACE -> Kind.PLACE;
      case READ -> Kind.READ;
      case FILL -> Kind.COMPLETE;
      case GIVE_UP -> Kind.TIMEOUT;
      case STEP -> step(event.text().toLowerCase(Locale.ROOT).split(" ", 2)[0]);
    };
  }

  /** By the first word of an operation as its program spells it. */
  private static Kind step(String word) {
    return switch (word) {
      case "signal" -> Kind.SIGNAL;
      case "await", "wait", "poll", "join", "lock" -> Kind.OBSERVE;
      case "post" -> Kind.POST;
      case "load", "read" -> Kind.READ;
      case "move", "store", "put", "atomic", "unlock" -> Kind.WRITE;
      case "end" -> Kind.END;
      default -> Kind.STEP;
    };
  }
}
