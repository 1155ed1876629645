package dev.oriel.sim.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Builds a recording event by event: each happens after its actor's last one and its cause. */
final class TraceBuilder {
  private final List<TraceActor> actors = new ArrayList<>();
  private final List<TraceEvent> events = new ArrayList<>();
  private final List<Long> clocks = new ArrayList<>();

  int actor(int rank, String label, ActorRole role) {
    actors.add(new TraceActor(rank, label, role));
    clocks.add(0L);
    return actors.size() - 1;
  }

  int lane(int rank) {
    return actor(rank, "main", ActorRole.LANE);
  }

  int add(int actor, TraceEventKind kind, String text) {
    return add(actor, kind, text, TraceEvent.NO_CAUSE, "", 1);
  }

  int add(int actor, TraceEventKind kind, String text, int cause) {
    return add(actor, kind, text, cause, "", 1);
  }

  /** An event that takes {@code cost} nanoseconds from its earliest start. */
  int add(int actor, TraceEventKind kind, String text, int cause, String detail, long cost) {
    long ready = cause < 0 ? 0 : events.get(cause).time();
    long time = Math.max(clocks.get(actor), ready) + cost;
    clocks.set(actor, time);
    add(actor, time, cause, facts(kind, text, detail), Optional.empty());
    return events.size() - 1;
  }

  /** An event with all its facts, one nanosecond after its actor's last one. */
  int add(int actor, StepFacts facts, int cause, TraceEvent.Place place) {
    long time = clocks.get(actor) + 1;
    clocks.set(actor, time);
    add(actor, time, cause, facts, Optional.of(place));
    return events.size() - 1;
  }

  private void add(
      int actor, long time, int cause, StepFacts facts, Optional<TraceEvent.Place> place) {
    events.add(new TraceEvent(time, actor, 0, cause, facts, place));
  }

  private static StepFacts facts(TraceEventKind kind, String text, String operation) {
    return new StepFacts(kind, operation, text, List.of(), List.of(), List.of());
  }

  /** In call order; the time is the number of the step. */
  TraceRecording steps(String program, String world, Optional<TraceFailure> failure) {
    List<TraceEvent> numbered =
        IntStream.range(0, events.size()).mapToObj(i -> at(i, events.get(i))).toList();
    return new TraceRecording(program, world, actors, numbered, failure, "oriel2:k3v9x2");
  }

  private static TraceEvent at(long time, TraceEvent e) {
    return new TraceEvent(time, e.actor(), e.launch(), e.cause(), e.facts(), e.place());
  }

  /** In the order of virtual time. */
  TraceRecording timed(String program, String world, Optional<TraceFailure> failure) {
    List<Integer> order =
        IntStream.range(0, events.size())
            .boxed()
            .sorted(Comparator.comparingLong(i -> events.get(i).time()))
            .toList();
    int[] place = new int[order.size()];
    IntStream.range(0, place.length).forEach(i -> place[order.get(i)] = i);
    List<TraceEvent> sorted =
        order.stream()
            .map(events::get)
            .map(e ->
                new TraceEvent(
                    e.time(),
                    e.actor(),
                    e.launch(),
                    e.cause() < 0 ? -1 : place[e.cause()],
                    e.facts(),
                    e.place()))
            .toList();
    Optional<TraceFailure> moved =
        failure.map(f ->
            new TraceFailure(
                f.kind(), f.message(), f.events().stream().map(i -> place[i]).toList()));
    return new TraceRecording(program, world, actors, sorted, moved, "oriel2:k3v9x2");
  }
}
