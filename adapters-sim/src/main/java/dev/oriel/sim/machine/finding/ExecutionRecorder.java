package dev.oriel.sim.machine.finding;

import dev.oriel.sim.trace.StepFacts;
import dev.oriel.sim.trace.TraceEventKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything that happened in one execution, recorded for its explanation. */
public final class ExecutionRecorder {

  /** The kinds of events. */
  public enum Kind {
    STEP,
    BEGIN,
    FETCH,
    PLACE,
    READ,
    FILL,
    GIVE_UP
  }

  /**
   * One step of one agent.
   *
   * @param actor the lane, or lanes + rank for a caller, or lanes + world + queue
   * @param text the micro-operation, without values: equal steps have equal texts
   * @param cause the event that it continues or observes, -1 for none
   * @param facts the same step in the program's words, with values
   */
  public record Event(int actor, int launch, Kind kind, String text, int cause, StepFacts facts) {
    private Event with(int otherCause, StepFacts otherFacts) {
      return new Event(actor, launch, kind, text, otherCause, otherFacts);
    }
  }

  /**
   * One access to bytes of a buffer.
   *
   * @param strong whether it is one of a word, which may take effect in another order
   */
  public record Access(
      int event,
      int component,
      int tick,
      int rank,
      int buffer,
      int from,
      int length,
      boolean write,
      boolean strong,
      String text) {
    private int end() {
      return from + length;
    }

    private boolean isAt(Access other) {
      return rank == other.rank && buffer == other.buffer;
    }

    /** The same access to one byte. */
    private Access byteAt(int offset) {
      return new Access(event, component, tick, rank, buffer, offset, 1, write, strong, text);
    }
  }

  final List<Event> events = new ArrayList<>();
  final List<Access> accesses = new ArrayList<>();

  /** A message that an event took, with the event that wrote it. */
  record Taken(int event, int writer) {}

  final List<Taken> taken = new ArrayList<>();

  /** The operation of a lane that an event belongs to, by its number in the lane. */
  record Serving(int lane, int operation) {}

  /** A failed check, with the facts for a report. */
  private record Failed(Serving at, String facts) {}

  private final Map<Integer, Serving> serving = new HashMap<>();
  private final Map<Integer, Failed> failures = new HashMap<>();

  /** Failed checks that the finding is about: they are no events. */
  private final List<Serving> checks = new ArrayList<>();

  /**
   * A byte that breaks a post-condition.
   *
   * @param ensure the number of the post-condition in the form
   * @param writers the events that brought the byte to its place, in their order; those before a
   *     step that is not recorded are left out. If the first of them copied a byte that nothing
   *     wrote, or if nothing wrote the byte itself, the write that ended nearest before it comes
   *     first
   */
  record WrongByte(int rank, int ensure, List<Integer> writers) {}

  private @Nullable WrongByte wrongByte;

  /** The events that brought the byte that the finding is about to its place. */
  public List<Integer> writers() {
    return wrongByte().map(WrongByte::writers).orElse(List.of());
  }

  /** Events that the finding is about. */
  public final List<Integer> involved = new ArrayList<>();

  /** All events, in the order of execution. */
  public List<Event> events() {
    return Collections.unmodifiableList(events);
  }

  /** The events that the finding is about, as indices of {@link #events()}. */
  public List<Integer> involved() {
    return Collections.unmodifiableList(involved);
  }

  private final Map<Long, Integer> writes = new HashMap<>();
  private final Map<Long, Integer> reads = new HashMap<>();
  private final Map<Long, Integer> requests = new HashMap<>();
  private final Map<Long, String> texts = new HashMap<>();
  private final Map<Long, StepFacts> posts = new HashMap<>();
  private final Map<Long, Integer> launches = new HashMap<>();
  private final Set<Long> additions = new HashSet<>();
  private final Set<Long> missedAddends = new HashSet<>();
  public String current = "";

  public void event(
      int actor, int launch, Kind kind, String text, String current, int cause, StepFacts facts) {
    this.current = current;
    events.add(new Event(actor, launch, kind, text, cause, facts));
  }

  /** Records that the last event read that word. */
  public void saw(StepFacts.NamedValue word) {
    Event last = events.getLast();
    events.set(now(), last.with(last.cause, last.facts.saw(word)));
  }

  public int now() {
    return events.size() - 1;
  }

  /** Assigns the last event to that operation of the lane; to none if the number is negative. */
  public void serves(int lane, int operation) {
    if (operation >= 0) {
      serving.put(now(), new Serving(lane, operation));
    }
  }

  /** The operation that the event belongs to, if any. */
  Optional<Serving> served(int event) {
    return Optional.ofNullable(serving.get(event));
  }

  /** The operations that the finding is about: the earlier event first, each operation once. */
  List<Serving> places() {
    return Stream.concat(involved.stream().map(serving::get), checks.stream())
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  /** Records that a check of the lane failed in that operation; the facts are for a report. */
  public void failed(int lane, int operation, String facts) {
    failures.put(lane, new Failed(new Serving(lane, operation), facts));
  }

  /** The facts of the lane's failed check, which the finding is about. */
  public String failure(int lane) {
    Failed failed = Objects.requireNonNull(failures.get(lane), "failed");
    if (failed.at.operation >= 0) {
      checks.add(failed.at);
    }
    return failed.facts;
  }

  /** Records that the byte at that offset of the rank's buffer breaks that post-condition. */
  public void wrong(int rank, int ensure, int buffer, long offset) {
    List<Integer> writers = new ArrayList<>();
    int before = accesses.size();
    Access wanted =
        new Access(-1, -1, 0, rank, buffer, Math.toIntExact(offset), 1, false, false, "");
    Optional<Access> written = lastWrite(before, wanted);
    while (written.filter(this::isStep).isPresent()) {
      Access write = written.get();
      writers.addFirst(write.event);
      Optional<Access> source = source(write);
      if (source.isEmpty()) {
        break;
      }
      Access read = source.get();
      wanted = read.byteAt(read.from + wanted.from - write.from);
      before = Math.min(accesses.indexOf(write), accesses.indexOf(read));
      written = lastWrite(before, wanted);
    }
    if (written.isEmpty() || events.get(written.get().event).kind == Kind.BEGIN) {
      shorterWrite(written.map(accesses::indexOf).orElse(-1) + 1, before, wanted)
          .ifPresent(write -> writers.addFirst(write.event));
    }
    wrongByte = new WrongByte(rank, ensure, writers);
  }

  /** Whether an operation of a lane accessed the memory: no caller, and no step left out. */
  private boolean isStep(Access access) {
    return serving.containsKey(access.event);
  }

  /**
   * The last of the first so many accesses that wrote that byte. It is not known where words were
   * written: their order is not that of the steps.
   */
  private Optional<Access> lastWrite(int before, Access wanted) {
    Access last = null;
    for (Access a : accesses.subList(0, before)) {
      if (a.write && a.isAt(wanted) && a.from <= wanted.from && wanted.from < a.end()) {
        if (a.strong) {
          return Optional.empty();
        }
        last = a;
      }
    }
    return Optional.ofNullable(last);
  }

  /**
   * Of these accesses, the step's write to the buffer of that byte that ended nearest before it; of
   * equals, the last. It may be too short. Empty if words were written there.
   */
  private Optional<Access> shorterWrite(int first, int before, Access wanted) {
    Access nearest = null;
    for (Access a : accesses.subList(first, before)) {
      if (!a.write || !a.isAt(wanted)) {
        continue;
      }
      if (a.from <= wanted.from && wanted.from < a.end()) {
        return Optional.empty();
      }
      boolean nearer = nearest == null || a.end() >= nearest.end();
      if (isStep(a) && a.end() <= wanted.from && nearer) {
        nearest = a;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** What that write copied: a read of as many bytes in the same step, or in that it continues. */
  private Optional<Access> source(Access write) {
    Event step = events.get(write.event);
    boolean continues = step.kind == Kind.PLACE || step.kind == Kind.FILL;
    return accesses.stream()
        .filter(a -> !a.write && a.length == write.length)
        .filter(a -> a.event == write.event || (continues && a.event == step.cause))
        .findFirst();
  }

  /** The byte that the finding is about, if it breaks a post-condition. */
  Optional<WrongByte> wrongByte() {
    return Optional.ofNullable(wrongByte);
  }

  public void access(
      int component,
      int tick,
      int rank,
      int buffer,
      int from,
      int length,
      boolean write,
      boolean strong) {
    accesses.add(
        new Access(now(), component, tick, rank, buffer, from, length, write, strong, current));
  }

  /** The last access of that component at that tick to that byte. */
  public Access find(int component, int tick, int rank, int buffer, int at, boolean write) {
    for (int i = accesses.size() - 1; i >= 0; i--) {
      Access a = accesses.get(i);
      if (a.component == component
          && a.tick == tick
          && a.rank == rank
          && a.buffer == buffer
          && a.write == write
          && a.from <= at
          && at < a.from + a.length) {
        return a;
      }
    }
    throw new AssertionError("access not recorded: component=" + component + ", tick=" + tick);
  }

  private static long key(int a, int b) {
    return (long) a << 32 | b;
  }

  /** Records a new message of the word; messages with that number and greater ones move up. */
  public void wrote(int word, int number, int newest, boolean adds) {
    for (int n = newest; n > number; n--) {
      Integer moved = writes.remove(key(word, n - 1));
      if (moved != null) {
        writes.put(key(word, n), moved);
      }
      if (additions.remove(key(word, n - 1))) {
        additions.add(key(word, n));
      }
    }
    writes.put(key(word, number), now());
    if (adds) {
      additions.add(key(word, number));
    }
  }

  /** Whether an addition to the message before wrote this message. */
  public boolean added(int word, int number) {
    return additions.contains(key(word, number));
  }

  /** Records that the sum which the lane just took includes nothing new of that slot. */
  public void missedAddend(int lane, int slot) {
    missedAddends.add(key(lane, slot));
  }

  /** Whether the lane's last await of that slot took a sum that lacks the slot's addition. */
  public boolean missesAddend(int lane, int slot) {
    return missedAddends.contains(key(lane, slot));
  }

  /** The step that wrote that message; -1 for the initial value. */
  public int writerOf(int word, int number) {
    return writes.getOrDefault(key(word, number), -1);
  }

  /** The lane's last step that took a message of the word; -1 if there is none. */
  public int readerOf(int word, int lane) {
    return reads.getOrDefault(key(lane, word), -1);
  }

  /** Makes the write of that message the event's cause, unless it has another cause. */
  public void took(int lane, int word, int number) {
    missedAddends.remove(key(lane, word));
    reads.put(key(lane, word), now());
    int cause = writerOf(word, number);
    if (cause >= 0) {
      taken.add(new Taken(now(), cause));
    }
    Event last = events.getLast();
    if (cause >= 0 && last.cause < 0) {
      events.set(now(), last.with(cause, last.facts));
    }
  }

  public void request(int queue, int number) {
    requests.put(key(queue, number), now());
  }

  /** Records a posted request: its description, and the launch of its rank. */
  public void posted(int queue, int number, String text, int launch) {
    texts.put(key(queue, number), text);
    posts.put(key(queue, number), events.getLast().facts);
    launches.put(key(queue, number), launch);
  }

  /** The launch that posted the request; its rank may have finished that launch since. */
  public int launchOf(int queue, int number) {
    return launches.getOrDefault(key(queue, number), 0);
  }

  /** The values with which the request was posted. */
  public StepFacts factsOf(int queue, int number) {
    StepFacts facts = posts.get(key(queue, number));
    return facts == null ? StepFacts.of(TraceEventKind.POST, textOf(queue, number)) : facts;
  }

  public String textOf(int queue, int number) {
    return texts.getOrDefault(key(queue, number), "");
  }

  public int lastOf(int queue, int number) {
    return requests.getOrDefault(key(queue, number), -1);
  }
}
