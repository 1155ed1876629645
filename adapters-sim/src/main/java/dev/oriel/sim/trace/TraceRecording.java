package dev.oriel.sim.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One execution as data: its actors, its events in order, and its failure.
 *
 * <p>The list of events is one order in which they may have happened. A cause precedes its effect
 * and is not later in time, and the time of one actor never decreases. Pictures rely on it.
 *
 * @param program the program's name
 * @param world hosts and ranks, as the command spells them
 * @param token repeats this execution; empty if nothing does
 * @param source the program's text
 */
public record TraceRecording(
    String program,
    String world,
    List<TraceActor> actors,
    List<TraceEvent> events,
    Optional<TraceFailure> failure,
    String token,
    TraceSource source) {

  public TraceRecording {
    actors = List.copyOf(actors);
    events = List.copyOf(events);
    long[] now = new long[actors.size()];
    for (int i = 0; i < events.size(); i++) {
      TraceEvent event = events.get(i);
      int actor = event.actor();
      check(
          0 <= actor && actor < actors.size(),
          "event of an unknown actor",
          i,
          "actor=" + actor + ", actors=" + actors.size(),
          "list every actor");
      check(
          event.time() >= now[actor],
          "an actor's time goes back or is negative",
          i,
          "time=" + event.time() + ", before=" + now[actor],
          "list its events in order");
      int cause = event.cause();
      check(
          TraceEvent.NO_CAUSE <= cause && cause < i,
          "a cause does not stand before its effect",
          i,
          "cause=" + cause,
          "use the index of an earlier event, or -1");
      check(
          cause < 0 || events.get(cause).time() <= event.time(),
          "a cause is later than its effect",
          i,
          "cause=" + cause + ", time=" + event.time(),
          "record both on one clock");
      now[actor] = event.time();
    }
    for (int i : failure.map(TraceFailure::events).orElse(List.of())) {
      check(
          0 <= i && i < events.size(),
          "a failure names an unknown event",
          i,
          "events=" + events.size(),
          "record the events that it is about");
    }
  }

  /** A recording of a program without a text. */
  public TraceRecording(
      String program,
      String world,
      List<TraceActor> actors,
      List<TraceEvent> events,
      Optional<TraceFailure> failure,
      String token) {
    this(program, world, actors, events, failure, token, TraceSource.NONE);
  }

  /** The same recording with another text of the same program. */
  public TraceRecording with(TraceSource text) {
    return new TraceRecording(program, world, actors, events, failure, token, text);
  }

  /** The facts of an event for people: its operation in the program, its names, what it read. */
  public List<String> facts(TraceEvent event) {
    StepFacts facts = event.facts();
    int line = source.line(event);
    String text = line > 0 ? source.text(line) : facts.operation();
    List<String> lines = new ArrayList<>();
    if (!text.isEmpty() && !text.equals(facts.resolved())) {
      lines.add((line > 0 ? "line " + line + ": " : "in ") + text);
    }
    if (!facts.nameText().isEmpty()) {
      lines.add("values: " + facts.nameText());
    }
    if (!facts.seen().isEmpty()) {
      lines.add((event.kind() == TraceEventKind.WAIT ? "holds: " : "read: ") + facts.seenText());
    }
    return lines;
  }

  /** The actor of an event. */
  public TraceActor actor(TraceEvent event) {
    return actors.get(event.actor());
  }

  private static void check(boolean fine, String wrong, int event, String facts, String todo) {
    if (!fine) {
      throw new IllegalArgumentException(wrong + ": event=" + event + ", " + facts + "; " + todo);
    }
  }
}
