package dev.oriel.sim.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The last wait before a racing access, or before the last write of a wrong byte, for a lane in the
 * same launch: it shows whether a wait is missing, or was satisfied too early.
 *
 * @param access the event of the lane or caller that made the access; for a request, the event that
 *     posted it
 * @param awaited the event of the wait; empty if the lane waited for nothing in that launch
 * @param writer the event of an agent that wrote the value which the wait saw; empty for an initial
 *     value, and if several words were awaited
 * @param early the access of the other lane, if that lane wrote the value before that access
 * @param follows whether that lane wrote the value after its access
 */
public record PrecedingWait(
    TraceEvent access,
    Optional<TraceEvent> awaited,
    Optional<TraceEvent> writer,
    Optional<TraceEvent> early,
    boolean follows) {

  /**
   * For each racing access, the earlier one first, unless one lane made both accesses in one
   * launch; for a wrong byte, of the lane that wrote it last. Empty for another failure.
   */
  public static List<PrecedingWait> of(TraceRecording recording) {
    return recording.failure().filter(failure -> failure.kind().equals("value")).isPresent()
        ? ofWrongByte(recording)
        : ofRace(recording);
  }

  /** A lane that waits for nothing may be right: its bytes may be its own. */
  private static List<PrecedingWait> ofWrongByte(TraceRecording recording) {
    List<Integer> events = recording.failure().map(TraceFailure::events).orElse(List.of());
    if (events.size() < 2) {
      return List.of();
    }
    // The last event is the caller's, which judged the byte.
    int write = origin(recording, events.get(events.size() - 2));
    return role(recording, write) == ActorRole.LANE
        ? ofLane(recording, write, write).filter(wait -> wait.awaited.isPresent()).stream().toList()
        : List.of();
  }

  private static List<PrecedingWait> ofRace(TraceRecording recording) {
    List<PrecedingWait> all = new ArrayList<>();
    List<Integer> accesses =
        recording
            .failure()
            .filter(failure -> failure.kind().equals("race"))
            .map(TraceFailure::events)
            .filter(events -> events.size() == 2)
            .orElse(List.of());
    if (ofOneLane(recording, accesses)) {
      return List.of();
    }
    for (int at = 0; at < accesses.size(); at++) {
      int access = origin(recording, accesses.get(at));
      int other = origin(recording, accesses.get(1 - at));
      switch (role(recording, access)) {
        case LANE -> ofLane(recording, access, other).ifPresent(all::add);
        case CALLER -> ofCaller(recording, access, other).ifPresent(all::add);
        default -> {}
      }
    }
    // A wait for a value that follows the other access is the one that lacks an order.
    Optional<PrecedingWait> late = all.stream().filter(PrecedingWait::late).findFirst();
    return late.map(List::of).orElse(all);
  }

  /** No wait orders a lane with its own requests. */
  private static boolean ofOneLane(TraceRecording recording, List<Integer> accesses) {
    return accesses.size() == 2
        && recording.events().get(origin(recording, accesses.getFirst())).actor()
            == recording.events().get(origin(recording, accesses.getLast())).actor()
        && recording.events().get(accesses.getFirst()).launch()
            == recording.events().get(accesses.getLast()).launch();
  }

  private boolean late() {
    return follows && writer.isPresent();
  }

  /**
   * Empty if the lane synchronises in another way than by a wait, such as by an acquiring load or
   * by packets, and if the caller makes the other access after the lane's launch: the lane need not
   * wait for that.
   */
  private static Optional<PrecedingWait> ofLane(TraceRecording recording, int access, int other) {
    TraceEvent accessing = recording.events().get(access);
    boolean polls = accessing.kind() != TraceEventKind.READ && synchronises(accessing);
    boolean called =
        role(recording, other) == ActorRole.CALLER
            && accessing.launch() <= recording.events().get(other).launch();
    boolean otherwise = polls || called;
    for (int at = access - 1; at >= 0 && !otherwise; at--) {
      TraceEvent event = recording.events().get(at);
      boolean own = event.actor() == accessing.actor() && event.launch() == accessing.launch();
      if (own && waits(event)) {
        return Optional.of(satisfied(recording, accessing, event, other));
      }
      otherwise = own && synchronises(event);
    }
    return otherwise
        ? Optional.empty()
        : Optional.of(
            new PrecedingWait(
                accessing, Optional.empty(), Optional.empty(), Optional.empty(), false));
  }

  /** The last wait of the caller's rank for the lane of the other access. */
  private static Optional<PrecedingWait> ofCaller(TraceRecording recording, int access, int other) {
    TraceEvent calling = recording.events().get(access);
    for (int at = access - 1; at >= 0; at--) {
      TraceEvent event = recording.events().get(at);
      if (waits(event)
          && event.cause() != TraceEvent.NO_CAUSE
          && recording.actor(event).rank() == recording.actor(calling).rank()
          && recording.events().get(origin(recording, event.cause())).actor()
              == recording.events().get(other).actor()) {
        return Optional.of(satisfied(recording, calling, event, other));
      }
    }
    return Optional.empty();
  }

  private static boolean waits(TraceEvent event) {
    return event.kind() == TraceEventKind.OBSERVE && !event.facts().seen().isEmpty();
  }

  private static PrecedingWait satisfied(
      TraceRecording recording, TraceEvent access, TraceEvent wait, int other) {
    if (wait.cause() == TraceEvent.NO_CAUSE || wait.facts().seen().size() != 1) {
      return new PrecedingWait(
          access, Optional.of(wait), Optional.empty(), Optional.empty(), false);
    }
    int writer = origin(recording, wait.cause());
    TraceEvent writing = recording.events().get(writer);
    TraceEvent used = recording.events().get(other);
    boolean same = writing.actor() == used.actor() && role(recording, writer) == ActorRole.LANE;
    return new PrecedingWait(
        access,
        Optional.of(wait),
        Optional.of(writing),
        same && writer < other ? Optional.of(used) : Optional.empty(),
        same && writer > other);
  }

  /** Whether the event read a word, gave up, or joined a lane, and so may be what orders. */
  private static boolean synchronises(TraceEvent event) {
    return !event.facts().seen().isEmpty()
        || event.kind() == TraceEventKind.TIMEOUT
        || event.facts().operation().startsWith("join");
  }

  /** The lane's event that posted a queue's request; the event itself if no queue made it. */
  private static int origin(TraceRecording recording, int event) {
    int at = event;
    while (role(recording, at) == ActorRole.QUEUE
        && recording.events().get(at).cause() != TraceEvent.NO_CAUSE) {
      at = recording.events().get(at).cause();
    }
    return at;
  }

  private static ActorRole role(TraceRecording recording, int event) {
    return recording.actor(recording.events().get(event)).role();
  }

  /** The wait in one sentence, with the lines of the recording's text. */
  public String sentence(TraceRecording recording) {
    return sentence(
        recording,
        event -> {
          int line = recording.source().line(event);
          return line > 0 ? Optional.of("line " + line) : Optional.empty();
        });
  }

  /**
   * The wait in one sentence.
   *
   * @param mark the place of an event's operation in a text, if it has one
   */
  public String sentence(TraceRecording recording, Function<TraceEvent, Optional<String>> mark) {
    Function<TraceEvent, String> place =
        event ->
            "%s (%s)"
                .formatted(
                    mark.apply(event).orElseGet(() -> "'" + event.text() + "'"), moment(event));
    if (awaited.isEmpty()) {
      return "%s waits for nothing before %s"
          .formatted(agent(recording, access), place.apply(access));
    }
    StepFacts facts = awaited.get().facts();
    boolean initial = awaited.get().cause() == TraceEvent.NO_CAUSE && facts.seen().size() == 1;
    boolean called = recording.actor(access).role() == ActorRole.CALLER;
    return "%s waits in %s before %s: it read %s%s%s%s"
        .formatted(
            agent(recording, awaited.get()),
            place.apply(awaited.get()),
            called ? "the caller continues" : place.apply(access),
            facts.seenText(),
            initial ? ", the initial value" : "",
            writer
                .map(event ->
                    ", which %s wrote in %s".formatted(agent(recording, event), place.apply(event)))
                .orElse(""),
            early.map(event -> ", before its access in " + place.apply(event)).orElse(""));
  }

  private static String agent(TraceRecording recording, TraceEvent event) {
    TraceActor actor = recording.actor(event);
    return "rank=" + actor.rank() + ", lane=" + actor.label();
  }

  private static String moment(TraceEvent event) {
    String loops = event.facts().loopText();
    return "launch " + event.launch() + (loops.isEmpty() ? "" : ", " + loops);
  }
}
