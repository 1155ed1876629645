package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.CallCountAgreement;
import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.persistent.RequestKey;
import dev.oriel.domain.persistent.RequestTable;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Persistent collectives over a window. A request is identified by its collective, the range that
 * it receives into and the stream; its first call, or {@link #open}, creates it. Bytes and source
 * may differ in each call. Used by the window's thread; the window stays the caller's and must
 * outlive this object.
 *
 * <p>Every rank makes the same calls and replays of a request in the same order, with equally many
 * bytes. No rank alone makes other calls of this object in between. Eager calls and replays then
 * mix freely. Requests may be destroyed in any order, on every rank before the same call.
 *
 * <p><b>Failure.</b> After a failed call no request continues on any rank until {@link #reset} has
 * returned there; the other ranks' calls end with their deadlines.
 */
public final class PersistentCalls implements AutoCloseable {
  private final Window window;
  private final CallSpec spec;
  private final CallMachine machine;
  private final CallCountAgreement accord = new CallCountAgreement();
  private final RequestTable<PersistentRequest> requests;
  private final RequestHandshake handshake;

  /** Whether an unfinished reset has already met the other ranks once. */
  private boolean silent;

  private boolean closed;

  private PersistentCalls(Window window, CallSpec spec, CallMachine machine) {
    this.window = window;
    this.spec = spec;
    this.machine = machine;
    requests = new RequestTable<>(spec.requests());
    handshake = new RequestHandshake(window, spec);
  }

  /**
   * The calls of a window, in the state after a {@link #reset}: the slots may have been used
   * before.
   *
   * <p>Scope: collective, with an equal specification on every rank.
   */
  public static PersistentCalls over(Window window, CallSpec spec, Duration deadline)
      throws TimeoutException {
    return over(window, spec, new StepMachine(window, spec), deadline);
  }

  /**
   * The same with a given machine. {@link #close} closes it, and so does a failure here.
   *
   * @param machine of the same window and specification
   */
  public static PersistentCalls over(
      Window window, CallSpec spec, CallMachine machine, Duration deadline)
      throws TimeoutException {
    PersistentCalls calls = new PersistentCalls(window, spec, machine);
    try {
      calls.reset(deadline);
    } catch (TimeoutException | RuntimeException e) {
      machine.close();
      throw e;
    }
    return calls;
  }

  /**
   * Creates a request before its first call. Sends nothing: peers learn of it in the first call.
   *
   * @return why such ranges are unsuitable for this window; empty if the request now exists
   * @throws NoSuchElementException if the most requests allowed exist already
   */
  public Optional<String> open(ExchangePattern exchange, CallStream stream, WindowRegion out) {
    poll();
    Optional<String> against = against(out);
    if (against.isEmpty()) {
      request(key(exchange, stream, out)).keep();
    }
    return against;
  }

  /** {@link #call} of an all-gather. */
  public CallResult allGather(
      CallStream stream,
      WindowRegion out,
      LocalBuffer from,
      long fromOffset,
      long bytes,
      Duration deadline)
      throws TimeoutException {
    return call(ExchangePattern.ALL_GATHER, stream, out, from, fromOffset, bytes, deadline);
  }

  /** {@link #call} of an all-to-all. */
  public CallResult allToAll(
      CallStream stream,
      WindowRegion out,
      LocalBuffer from,
      long fromOffset,
      long bytes,
      Duration deadline)
      throws TimeoutException {
    return call(ExchangePattern.ALL_TO_ALL, stream, out, from, fromOffset, bytes, deadline);
  }

  /**
   * Copies {@code bytes} of every rank's source into {@code out} on every rank, one after the other
   * in rank order; while the stream captures, it only records this. If the graph is {@link
   * CallGraph#fixed}, recording is collective. If it is {@link CallGraph#foreign}, replays of the
   * request must have ended, and it counts from 1 again at its first recording or call.
   *
   * <p>Order: when it returns, all bytes have arrived and the source may be overwritten. Until a
   * rank begins the next call of the request, no peer writes into its range.
   *
   * @param from may, for an all-gather, already be at its place in the range. It may not overlap
   *     other bytes that peers write in the call: the front of the range and the control bytes
   * @return {@link CallResult.UnsuitableRange}, the same on every rank, if the range is not in the
   *     window
   * @throws TimeoutException naming the missing rank
   * @throws IllegalArgumentException if the range is too short or overlaps the control bytes, or
   *     peers would overwrite the source
   * @throws IllegalStateException if a call has failed, or this one is made within another
   * @throws dev.oriel.ports.MachineException if ranks call different requests
   */
  public CallResult call(
      ExchangePattern exchange,
      CallStream stream,
      WindowRegion out,
      LocalBuffer from,
      long fromOffset,
      long bytes,
      Duration deadline)
      throws TimeoutException {
    poll();
    Optional<String> against = against(out);
    if (against.isPresent()) {
      return new CallResult.UnsuitableRange(against.get());
    }
    RequestKey key = key(exchange, stream, out);
    fits(key, out, from, fromOffset, bytes);
    boolean there =
        exchange == ExchangePattern.ALL_GATHER && inWindow(from) && fromOffset == own(out, bytes);
    CallMachine.Transfer transfer = new CallMachine.Transfer(from, fromOffset, bytes, there);
    PersistentRequest request = request(key);
    Optional<CallGraph> graph = stream.capturing();
    if (graph.isPresent()) {
      record(request, stream, graph.get(), transfer, deadline);
      return new CallResult.Recorded();
    }
    if (request.uncertain()) {
      quiet(request, stream, deadline);
      request.forget();
    }
    request.keep();
    Call call = new Call(request, stream, transfer);
    call.make(deadline);
    return new CallResult.Done(call.epoch);
  }

  private void record(
      PersistentRequest request,
      CallStream stream,
      CallGraph graph,
      CallMachine.Transfer transfer,
      Duration deadline)
      throws TimeoutException {
    if (request.uncertain()) {
      request.forget();
    }
    request.recordedIn(graph);
    Call call = new Call(request, stream, transfer);
    if (graph.fixed()) {
      call.begin(deadline);
      call.end();
    }
    request.end.record(stream, transfer);
    graph.add(call);
  }

  /** Waits until foreign replays have ended, or else stops them: then no request continues. */
  private void quiet(PersistentRequest request, CallStream stream, Duration deadline)
      throws TimeoutException {
    try {
      request.end.quiet(stream, deadline);
    } catch (TimeoutException | RuntimeException e) {
      fail(request, String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private void fail(PersistentRequest request, String cause) {
    request.life.fail(cause);
    machine.stop();
  }

  /** Destroys the request and returns whether it existed; graphs that replay it fail and say so. */
  public boolean destroy(ExchangePattern exchange, CallStream stream, WindowRegion out) {
    poll();
    return destroy(key(exchange, stream, out));
  }

  /** The number of existing requests, without those whose graphs are all gone. */
  public int count() {
    poll();
    return requests.all().size();
  }

  /**
   * Agrees with all ranks to start anew. Recorded graphs can be replayed afterwards; foreign
   * replays have no effect until the request's next call.
   *
   * <p>Scope: collective. Failure: a {@link TimeoutException} names the missing ranks, or the
   * stream in which other work still delays the end of a failed call; call it again.
   *
   * @throws dev.oriel.ports.AbortedException if the communicator was aborted: then join anew
   */
  public void reset(Duration deadline) throws TimeoutException {
    if (!silent) {
      // Before any rank learns of the reset: a call that begins late could be mistaken for one
      // after it.
      machine.settle(deadline);
      // After this barrier no signal of a failed call is still to come.
      window.barrier(spec.barrier(), deadline);
      handshake.renew();
      machine.renew();
      silent = true;
    }
    window.barrier(spec.barrier(), deadline);
    silent = false;
    accord.renew();
  }

  /**
   * Destroys all requests, and the machine; not collective. Peers must have completed their calls.
   *
   * @throws dev.oriel.ports.MachineException if a failed call is still queued after other work of
   *     its stream: end that work, and close again before the window
   */
  @Override
  public void close() {
    closed = true;
    try (machine) {
      requests.all().forEach(request -> destroy(request.key));
    }
  }

  private static RequestKey key(ExchangePattern exchange, CallStream stream, WindowRegion out) {
    return new RequestKey(exchange, out.offset(), out.length(), stream.id());
  }

  private PersistentRequest request(RequestKey wanted) {
    return requests.open(
        wanted,
        (key, place) -> new PersistentRequest(key, place, accord, machine.open(key, place)));
  }

  private boolean destroy(RequestKey key) {
    Optional<PersistentRequest> request = requests.remove(key);
    request.ifPresent(PersistentRequest::destroy);
    return request.isPresent();
  }

  private void poll() {
    if (closed) {
      throw new IllegalStateException(
          "calls are closed: window=%s; make others over it".formatted(window.name()));
    }
    for (PersistentRequest request : requests.all()) {
      if (request.unused()) {
        destroy(request.key);
      }
    }
  }

  /** Why the range is unsuitable, decided by facts that all ranks share. */
  private Optional<String> against(WindowRegion out) {
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

  private void fits(
      RequestKey key, WindowRegion out, LocalBuffer from, long fromOffset, long bytes) {
    if (bytes < 0 || bytes > out.length() / window.world()) {
      throw new IllegalArgumentException(
          "range too short: bytes=%d, ranks=%d, length=%d; give fewer bytes, or a longer range"
              .formatted(bytes, window.world(), out.length()));
    }
    long source = key.exchange().source(window.world(), bytes);
    if (fromOffset < 0 || fromOffset > from.bytes() - source) {
      throw new IndexOutOfBoundsException(
          "source leaves its buffer: offset=%d, bytes=%d, buffer=%d; give bytes that are there"
              .formatted(fromOffset, source, from.bytes()));
    }
    WindowRegion control =
        new WindowRegion(window.name(), spec.control(), spec.controlBytes(window.world()));
    if (out.overlaps(control)) {
      throw new IllegalArgumentException(
          "range overlaps the area in which ranks announce requests: offset=%d, length=%d, from=%d, to=%d; leave these bytes alone"
              .formatted(out.offset(), out.length(), control.offset(), control.end()));
    }
    WindowRegion written = out.slice(0, window.world() * bytes);
    boolean place = key.exchange() == ExchangePattern.ALL_GATHER && fromOffset == own(out, bytes);
    if (inWindow(from)
        && !place
        && Stream.of(written, control)
            .anyMatch(new WindowRegion(window.name(), fromOffset, source)::overlaps)) {
      throw new IllegalArgumentException(
          "source lies where peers write: offset=%d, bytes=%d, range=%d, own=%d, control=%d; begin at the rank's own place, or elsewhere"
              .formatted(fromOffset, source, out.offset(), own(out, bytes), spec.control()));
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same memory, not equal memory
  private boolean inWindow(LocalBuffer buffer) {
    return buffer == window;
  }

  /** The offset of this rank's bytes in the window. */
  private long own(WindowRegion out, long bytes) {
    return out.offset() + window.rank() * bytes;
  }

  private void meet(PersistentRequest request, Duration deadline) throws TimeoutException {
    handshake.meet(request, deadline);
    request.meet(accord.generation());
  }

  /** One call, run once or replayed. */
  private final class Call implements CallGraph.Call {
    private final PersistentRequest request;
    private final CallStream stream;
    private final CallMachine.Transfer transfer;
    private long epoch;

    Call(PersistentRequest request, CallStream stream, CallMachine.Transfer transfer) {
      this.request = request;
      this.stream = stream;
      this.transfer = transfer;
    }

    @Override
    public Object request() {
      return request;
    }

    @Override
    public void begin(Duration deadline) throws TimeoutException {
      epoch = request.life.begin();
      if (!request.met(accord.generation())) {
        try {
          meet(request, deadline);
        } catch (TimeoutException | RuntimeException e) {
          fail(String.valueOf(e.getMessage()));
          throw e;
        }
      }
    }

    @Override
    public void run(Duration deadline) throws TimeoutException {
      epoch = request.end.run(stream, transfer, epoch, deadline);
    }

    @Override
    public void end() {
      request.life.end();
    }

    @Override
    public void fail(String cause) {
      PersistentCalls.this.fail(request, cause);
    }
  }
}
