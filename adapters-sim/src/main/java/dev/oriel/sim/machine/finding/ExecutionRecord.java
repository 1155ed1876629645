package dev.oriel.sim.machine.finding;

import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.trace.StepFacts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * An execution and the violation that it ended with.
 *
 * @param waits the waiting lanes of a deadlock; empty for any other finding
 */
public record ExecutionRecord(
    WorldCode code,
    ExecutionRecorder recorder,
    Optional<Finding> finding,
    List<Queue> queues,
    List<Wait> waits) {
  /** A queue of a network interface: the lane that posts to it, the peer, and its number. */
  public record Queue(int lane, int peer, int number) {}

  /**
   * A lane that waits for ever: its operation, -1 for none, and the awaited words with their
   * values.
   */
  public record Wait(int lane, int launch, int operation, StepFacts facts) {}

  /**
   * An operation of the program, or a post-condition.
   *
   * @param lane the name of its lane; {@link #ENSURE}, which no lane may be called, for a
   *     post-condition
   * @param label the lane with its indices, as reports print it
   * @param operation its number in the lane, in the order of the text and from 0; for a
   *     post-condition its number in the form
   */
  public record Place(int rank, String lane, String label, int operation) {
    private static final String ENSURE = "ensure";

    /** The rank's post-condition with that number. */
    static Place ensure(int rank, int number) {
      return new Place(rank, ENSURE, ENSURE, number);
    }

    public boolean isEnsure() {
      return lane.equals(ENSURE);
    }

    /** The rank with its lane, or as the one that states a post-condition. */
    public String agent() {
      return isEnsure() ? "rank=" + rank : "rank=%d, lane=%s".formatted(rank, label);
    }
  }

  /**
   * The operations that the finding is about. For a deadlock, those in which lanes wait, each with
   * the first lane that does.
   */
  public List<Place> places() {
    List<Place> places = new ArrayList<>(recorder.places().stream().map(this::place).toList());
    Set<String> operations = new HashSet<>();
    for (Wait wait : waits) {
      Place place = place(new ExecutionRecorder.Serving(wait.lane(), wait.operation()));
      if (wait.operation() >= 0 && operations.add(place.lane() + " " + place.operation())) {
        places.add(place);
      }
    }
    return places;
  }

  /**
   * The parts of the text that a report names: the operations of {@link #places}; for a wrong byte,
   * the operations that brought it to its place, as far as they were recorded, and the
   * post-condition.
   */
  public List<Place> named() {
    List<Place> named = new ArrayList<>(places());
    recorder
        .wrongByte()
        .ifPresent(wrong -> {
          wrong.writers().stream()
              .flatMap(writer -> place(writer).stream())
              .distinct()
              .forEach(named::add);
          named.add(Place.ensure(wrong.rank(), wrong.ensure()));
        });
    return named;
  }

  /**
   * The operation that an event belongs to: for a queue's event, the one that posted the request.
   * None for a caller's event.
   */
  public Optional<Place> place(int event) {
    return recorder.served(event).map(this::place);
  }

  /** The operation that each of the {@link #lines} belongs to. */
  public List<Optional<Place>> operations() {
    return IntStream.range(0, recorder.events.size()).mapToObj(this::place).toList();
  }

  /** The operations that accessed at least one byte. */
  public Set<Place> accessing() {
    Set<Place> places = new LinkedHashSet<>();
    recorder.accesses.stream()
        .filter(access -> access.length() > 0)
        .forEach(access -> place(access.event()).ifPresent(places::add));
    return places;
  }

  /** The operation in which the lane waits; none if it waits in no operation. */
  public Optional<Place> place(Wait wait) {
    return wait.operation() < 0
        ? Optional.empty()
        : Optional.of(place(new ExecutionRecorder.Serving(wait.lane(), wait.operation())));
  }

  private Place place(ExecutionRecorder.Serving at) {
    var lane = code.lanes().get(at.lane());
    return new Place(lane.rank(), lane.name(), lane.label(), at.operation());
  }

  /** The same execution with another finding. */
  public ExecutionRecord withFinding(Finding other) {
    return new ExecutionRecord(code, recorder, Optional.of(other), queues, waits);
  }

  private static String seen(StepFacts facts) {
    return facts.seen().isEmpty() ? "" : ", read " + facts.seenValues();
  }

  private String queued(Queue queue, ExecutionRecorder.Event e) {
    var lane = code.lanes().get(queue.lane());
    String number = queue.number() == 0 ? "" : ", queue=" + queue.number();
    return "rank=%d, lane=%s to rank %d%s, launch=%d: %s"
        .formatted(
            lane.rank(), lane.label(), queue.peer(), number, e.launch(), e.facts().resolved());
  }

  /** The steps with their values, one line each. */
  public List<String> lines() {
    int lanes = code.lanes().size();
    return recorder.events.stream()
        .map(e -> {
          if (e.actor() < lanes) {
            var lane = code.lanes().get(e.actor());
            return "rank=%d, lane=%s, launch=%d: %s%s"
                .formatted(
                    lane.rank(), lane.label(), e.launch(), e.facts().resolved(), seen(e.facts()));
          }
          boolean caller = e.actor() < lanes + code.world();
          return caller
              ? "rank=%d, caller: %s".formatted(e.actor() - lanes, e.facts().resolved())
              : queued(queues.get(e.actor() - lanes - code.world()), e);
        })
        .toList();
  }
}
