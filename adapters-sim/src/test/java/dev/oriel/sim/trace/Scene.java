package dev.oriel.sim.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Builds a recording event by event: each happens after its actor's last one and its cause. */
final class Scene {
  private final List<Actor> actors = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final List<Long> clocks = new ArrayList<>();

  int actor(int rank, String label, Role role) {
    actors.add(new Actor(rank, label, role));
    clocks.add(0L);
    return actors.size() - 1;
  }

  int lane(int rank) {
    return actor(rank, "main", Role.LANE);
  }

  int add(int actor, Kind kind, String text) {
    return add(actor, kind, text, Event.NO_CAUSE, "", 1);
  }

  int add(int actor, Kind kind, String text, int cause) {
    return add(actor, kind, text, cause, "", 1);
  }

  /** An event that takes {@code cost} nanoseconds from its earliest start. */
  int add(int actor, Kind kind, String text, int cause, String detail, long cost) {
    long ready = cause < 0 ? 0 : events.get(cause).time();
    long time = Math.max(clocks.get(actor), ready) + cost;
    clocks.set(actor, time);
    events.add(new Event(time, actor, 0, kind, text, cause, detail));
    return events.size() - 1;
  }

  /** In call order; the time is the number of the step. */
  Recording steps(String program, String world, Optional<Failure> failure) {
    List<Event> numbered =
        IntStream.range(0, events.size()).mapToObj(i -> at(i, events.get(i))).toList();
    return new Recording(program, world, actors, numbered, failure, "oriel2:k3v9x2");
  }

  private static Event at(long time, Event e) {
    return new Event(time, e.actor(), e.launch(), e.kind(), e.text(), e.cause(), e.detail());
  }

  /** In the order of virtual time. */
  Recording timed(String program, String world, Optional<Failure> failure) {
    List<Integer> order =
        IntStream.range(0, events.size())
            .boxed()
            .sorted(Comparator.comparingLong(i -> events.get(i).time()))
            .toList();
    int[] place = new int[order.size()];
    IntStream.range(0, place.length).forEach(i -> place[order.get(i)] = i);
    List<Event> sorted =
        order.stream()
            .map(events::get)
            .map(e ->
                new Event(
                    e.time(),
                    e.actor(),
                    e.launch(),
                    e.kind(),
                    e.text(),
                    e.cause() < 0 ? -1 : place[e.cause()],
                    e.detail()))
            .toList();
    Optional<Failure> moved =
        failure.map(f ->
            new Failure(f.kind(), f.message(), f.events().stream().map(i -> place[i]).toList()));
    return new Recording(program, world, actors, sorted, moved, "oriel2:k3v9x2");
  }
}
