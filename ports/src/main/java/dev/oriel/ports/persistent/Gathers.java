package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.Accord;
import dev.oriel.domain.persistent.RequestKey;
import dev.oriel.domain.persistent.RequestTable;
import dev.oriel.domain.persistent.Schedule;
import dev.oriel.domain.persistent.Step;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Region;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Persistent all-gathers over a window. A request is found by the range that it receives into and
 * the stream; it is made by its first call, or by {@link #open}. Bytes and source may be others in
 * each call. Used by the window's thread; the window stays the caller's and must outlive it.
 *
 * <p>Every rank makes the same calls and replays of a request in the same order, with as many
 * bytes, and no other call of this object in between on one rank alone; then eager calls and
 * replays mix freely. Requests may be destroyed in any order, on every rank before the same call.
 *
 * <p><b>Failure.</b> Behind a call that failed, no request goes on, on any rank, until {@link
 * #reset} has returned there; the others end with their deadlines.
 */
public final class Gathers implements AutoCloseable {
  private final Window window;
  private final GatherSpec spec;
  private final Schedule schedule;
  private final Accord accord = new Accord();
  private final RequestTable<Request> requests;
  private final Handshake handshake;

  /** A reset that was not ended has met once already. */
  private boolean silent;

  private Gathers(Window window, GatherSpec spec, Schedule schedule) {
    this.window = window;
    this.spec = spec;
    this.schedule = schedule;
    requests = new RequestTable<>(spec.requests());
    handshake = new Handshake(window, spec);
  }

  /**
   * Those of a window, which begin as they do behind a {@link #reset}: the slots may have been
   * used.
   *
   * <p>Scope: collective, with an equal specification on every rank.
   */
  public static Gathers over(Window window, GatherSpec spec, Duration deadline)
      throws TimeoutException {
    return over(window, spec, Schedule.ALL_GATHER, deadline);
  }

  /** The same with another order of steps, which has to come to the same. */
  public static Gathers over(Window window, GatherSpec spec, Schedule schedule, Duration deadline)
      throws TimeoutException {
    Gathers gathers = new Gathers(window, spec, schedule);
    gathers.reset(deadline);
    return gathers;
  }

  /**
   * Makes a request ahead of its first call. Tells nobody: peers hear of it in the first call.
   *
   * @return why ranges like this are not for this window; nothing if there is a request now
   * @throws NoSuchElementException if there are as many as there may be
   */
  public Optional<String> open(CallStream stream, Region out) {
    poll();
    Optional<String> against = against(out);
    if (against.isEmpty()) {
      request(stream, out).keep();
    }
    return against;
  }

  /**
   * Brings {@code bytes} of every rank's source into {@code out} on every rank, one behind the
   * other in the order of ranks; while the stream captures, only records that.
   *
   * <p>Order: when it returns, all bytes are there and the source may be overwritten. Until a rank
   * begins the next call of the request, nobody writes into its range.
   *
   * @param from may stand at its place in the range already; nowhere else where peers write in the
   *     call, which is the front of the range and where requests are told
   * @return {@link Answer.Elsewhere}, the same on every rank, if the range is not in the window
   * @throws TimeoutException naming who is missing
   * @throws IllegalArgumentException if the range is too short or lies where this object keeps its
   *     own, or peers would write over the source
   * @throws IllegalStateException if a call has failed, or this one comes within another
   * @throws dev.oriel.ports.MachineException if ranks call different requests
   */
  public Answer allGather(
      CallStream stream,
      Region out,
      LocalBuffer from,
      long fromOffset,
      long bytes,
      Duration deadline)
      throws TimeoutException {
    poll();
    Optional<String> against = against(out);
    if (against.isPresent()) {
      return new Answer.Elsewhere(against.get());
    }
    fits(out, from, fromOffset, bytes);
    Request request = request(stream, out);
    Optional<CallGraph> graph = stream.capturing();
    if (graph.isPresent()) {
      request.recordedIn(graph.get());
      graph.get().add(within -> call(request, from, fromOffset, bytes, within));
      return new Answer.Recorded();
    }
    request.keep();
    return new Answer.Done(call(request, from, fromOffset, bytes, deadline));
  }

  /** Destroys the request, if there is one; graphs that replay it say so. */
  public boolean destroy(CallStream stream, Region out) {
    poll();
    return destroy(key(stream, out));
  }

  /** How many requests there are now, without those whose graphs are all gone. */
  public int count() {
    poll();
    return requests.all().size();
  }

  /**
   * Agrees to begin anew. What was recorded can be replayed behind it.
   *
   * <p>Scope: collective. Failure: a {@link TimeoutException} names who has not come; call it
   * again.
   *
   * @throws dev.oriel.ports.AbortedException if the communicator has ended: then join anew
   */
  public void reset(Duration deadline) throws TimeoutException {
    if (!silent) {
      // Behind it, whatever a failed call still had to say has been said.
      window.barrier(spec.barrier(), deadline);
      handshake.renew();
      silent = true;
    }
    window.barrier(spec.barrier(), deadline);
    silent = false;
    accord.renew();
  }

  /** Destroys all requests; not collective. */
  @Override
  public void close() {
    requests.all().forEach(request -> destroy(request.key));
  }

  private static RequestKey key(CallStream stream, Region out) {
    return new RequestKey(out.offset(), out.length(), stream.id());
  }

  private Request request(CallStream stream, Region out) {
    return requests.open(
        key(stream, out), (key, place) -> new Request(key, place, accord, window.world()));
  }

  private boolean destroy(RequestKey key) {
    Optional<Request> request = requests.remove(key);
    request.ifPresent(r -> r.life.destroy());
    return request.isPresent();
  }

  private void poll() {
    for (Request request : requests.all()) {
      if (request.unused()) {
        destroy(request.key);
      }
    }
  }

  /** Decided by what all ranks know alike. */
  private Optional<String> against(Region out) {
    if (!out.window().equals(window.name())) {
      return Optional.of(
          "range of another window: range=%s, window=%s; use its own"
              .formatted(out.window(), window.name()));
    }
    for (int rank = 0; rank < window.world(); rank++) {
      if (out.end() > window.bytes(rank)) {
        return Optional.of(
            "range leaves the window: offset=%d, length=%d, rank=%d, bytes=%d; use memory that is in it on every rank"
                .formatted(out.offset(), out.length(), rank, window.bytes(rank)));
      }
    }
    return Optional.empty();
  }

  private void fits(Region out, LocalBuffer from, long fromOffset, long bytes) {
    if (bytes < 0 || bytes > out.length() / window.world()) {
      throw new IllegalArgumentException(
          "range too short: bytes=%d, ranks=%d, length=%d; give fewer bytes, or a longer range"
              .formatted(bytes, window.world(), out.length()));
    }
    if (fromOffset < 0 || fromOffset > from.bytes() - bytes) {
      throw new IndexOutOfBoundsException(
          "source leaves its buffer: offset=%d, bytes=%d, buffer=%d; give bytes that are there"
              .formatted(fromOffset, bytes, from.bytes()));
    }
    Region control = new Region(window.name(), spec.control(), spec.controlBytes(window.world()));
    if (out.overlaps(control)) {
      throw new IllegalArgumentException(
          "range lies where requests are told: offset=%d, length=%d, from=%d, to=%d; leave these bytes alone"
              .formatted(out.offset(), out.length(), control.offset(), control.end()));
    }
    Region written = out.slice(0, window.world() * bytes);
    if (inWindow(from)
        && fromOffset != own(out, bytes)
        && Stream.of(written, control)
            .anyMatch(new Region(window.name(), fromOffset, bytes)::overlaps)) {
      throw new IllegalArgumentException(
          "source lies where peers write: offset=%d, bytes=%d, range=%d, own=%d, control=%d; begin at the rank's own place, or elsewhere"
              .formatted(fromOffset, bytes, out.offset(), own(out, bytes), spec.control()));
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same memory, not alike
  private boolean inWindow(LocalBuffer buffer) {
    return buffer == window;
  }

  /** Where this rank's bytes are to stand. */
  private long own(Region out, long bytes) {
    return out.offset() + window.rank() * bytes;
  }

  private long call(
      Request request, LocalBuffer from, long fromOffset, long bytes, Duration deadline)
      throws TimeoutException {
    long epoch = request.life.begin();
    try {
      if (!request.met(accord.generation())) {
        handshake.meet(request, deadline);
        request.meet(accord.generation());
      }
      Region out = new Region(window.name(), request.key.offset(), request.key.length());
      boolean there = inWindow(from) && fromOffset == own(out, bytes);
      for (Step step : schedule.steps(window.rank(), window.world(), bytes, there)) {
        step(request, epoch, step, from, fromOffset, deadline);
      }
      request.life.end();
      return epoch;
    } catch (TimeoutException | RuntimeException e) {
      request.life.fail(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private void step(
      Request request, long epoch, Step step, LocalBuffer from, long fromOffset, Duration deadline)
      throws TimeoutException {
    switch (step) {
      case Step.Tell(int peer, Step.Word word) ->
          window.signal(peer, spec.slot(request.theirs[peer], word), 1);
      case Step.Hear(int peer, Step.Word word) ->
          window.await(
              peer,
              spec.slot(request.place, word),
              Comparison.REACHED,
              request.before(peer, word) + epoch,
              deadline);
      case Step.Put(int peer, long to, long bytes) ->
          window.put(peer, request.key.offset() + to, from, fromOffset, bytes);
      case Step.Settle(int peer) -> window.flush(peer, deadline);
    }
  }
}
