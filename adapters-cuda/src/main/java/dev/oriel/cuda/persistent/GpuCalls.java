package dev.oriel.cuda.persistent;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.HostWord;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.process.StreamEnd;
import dev.oriel.cuda.ptx.LaneStatus;
import dev.oriel.cuda.window.GpuWindow;
import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.persistent.RequestKey;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.CallMachine;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.CallStream;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Makes persistent calls by kernels on one rank's GPU. A call of an existing request allocates,
 * maps and loads nothing: it sets the parameters of the request's one launch.
 *
 * <p>The kernels' epochs are in GPU memory. A graph therefore holds no number of a call: it holds
 * only addresses and the number of the request. The kernel compares that number with the one at its
 * place.
 *
 * <p>A wait in a replay gives up after a minute, whatever the replay's deadline. Room on the GPU is
 * counted over all requests of one such object; requests of other such objects and the caller's own
 * kernels are not counted.
 */
public final class GpuCalls implements CallMachine {
  /**
   * How long one wait of a replayed kernel may last; one of an eager call may last at least as
   * long.
   */
  private static final long TIMEOUT = Duration.ofSeconds(60).toNanos();

  /** A number that no request has. */
  private static final long DEAD = 0;

  private final GpuWindow window;
  private final Gpu gpu;
  private final Clock clock;
  private final RequestPlaces places;
  private final Map<ExchangePattern, CallKernel> kernels = new EnumMap<>(ExchangePattern.class);
  private final Set<RequestEnd> open = new LinkedHashSet<>();

  /** Streams with launched kernels that are not yet known to have ended. */
  private final Set<GpuStream> busy = new LinkedHashSet<>();

  private final ResourceStack owned = new ResourceStack();
  private final HostWord abort;

  /** The number of co-resident blocks on the GPU, the least over all kernels. */
  private final int resident;

  private long requests;
  private boolean closed;

  private GpuCalls(GpuWindow window, CallSpec spec, Clock clock) {
    this.window = window;
    this.clock = clock;
    gpu = window.gpu();
    long bytes = RequestPlaces.bytes(window.world(), spec.requests());
    places = new RequestPlaces(window.extend("calls", bytes));
    try {
      abort = owned.add(new HostWord(gpu));
      for (ExchangePattern exchange : ExchangePattern.values()) {
        boolean alone = window.sharers() == 1;
        kernels.put(exchange, owned.add(new CallKernel(gpu, exchange, alone)));
      }
      resident = kernels.values().stream().mapToInt(CallKernel::resident).min().orElseThrow();
      window.hold();
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  /**
   * The kernels for calls over a window in GPU memory. The window must outlive it and every graph
   * that recorded a call.
   *
   * <p>Scope: collective, with an equal specification on every rank.
   *
   * @throws IllegalArgumentException if the window is of another machine
   */
  public static GpuCalls over(Window window, CallSpec spec, Clock clock) {
    return new GpuCalls(GpuWindow.of(window), spec, clock);
  }

  @Override
  public RequestEnd open(RequestKey key, int place) {
    long most = key.length() / window.world();
    if (most > CallKernel.MAX_BYTES) {
      throw new MachineException(
          "range too long for a kernel: %s, bytes of a rank=%d, max=%d; use several ranges"
              .formatted(key, most, CallKernel.MAX_BYTES));
    }
    CallKernel kernel = Objects.requireNonNull(kernels.get(key.exchange()));
    int lanes = CallKernel.lanes(most);
    BlockResidency mine =
        new BlockResidency(key.stream(), CallKernel.blocks(window.world(), lanes));
    int all =
        BlockResidency.atOnce(
            Stream.concat(open.stream().map(RequestEnd::blocks), Stream.of(mine)));
    if (all * window.sharers() > resident) {
      throw new MachineException(
          "lanes do not fit at once: %s, lanes=%d, of all streams=%d, ranks=%d, resident=%d; use a shorter range, or fewer streams, or fewer ranks on a GPU"
              .formatted(key, mine.blocks(), all, window.sharers(), resident));
    }
    RequestEnd end =
        ResourceStack.making(made ->
            new RequestEnd(
                key, place, ++requests, lanes, mine, made.add(kernel.call(mine.blocks()))));
    open.add(end);
    return end;
  }

  @Override
  public void stop() {
    abort.set(1);
    open.forEach(RequestEnd::kill);
  }

  @Override
  public void settle(Duration deadline) throws TimeoutException {
    Deadline until = Deadline.in(deadline, clock);
    for (GpuStream stream : List.copyOf(busy)) {
      Duration left = Duration.ofNanos(Math.max(1, until.left()));
      if (!StreamEnd.ended(() -> holdsNothing(stream), left, clock)) {
        throw new TimeoutException(
            "stream is busy, and a failed call waits in it: rank=%d, stream=%d, deadline=%s; end your own work in it, and try again"
                .formatted(window.rank(), stream.id(), deadline));
      }
      busy.remove(stream);
    }
  }

  /** If the stream or the GPU has failed, no further work of the stream will begin. */
  private static boolean holdsNothing(GpuStream stream) {
    try {
      return stream.stream().idle();
    } catch (MachineException gone) {
      return true;
    }
  }

  @Override
  public void renew() {
    abort.set(0);
  }

  @Override
  public void close() {
    try {
      ResourceStack.closeAll(List.copyOf(open));
    } finally {
      free();
    }
  }

  /** Frees once nothing runs any more; also if a request could not be ended. */
  private void free() {
    try {
      settle(StreamEnd.GRACE);
    } catch (TimeoutException e) {
      // A kernel that begins late reads memory of the window and of this object.
      throw new MachineException("calls cannot be closed: " + e.getMessage(), e);
    }
    if (!closed) {
      closed = true;
      try (owned) {
        window.release();
      }
    }
  }

  /**
   * Waits for all work in the stream; asks kernels to give up once the deadline has passed.
   *
   * @param ends the requests whose kernels are in the stream, at least one
   * @throws TimeoutException also if all kernels completed, but after the deadline: kernels have
   *     been asked to give up, and later ones would do so
   */
  static void await(List<RequestEnd> ends, GpuStream stream, Duration deadline)
      throws TimeoutException {
    Set<GpuCalls> machines = new LinkedHashSet<>();
    ends.forEach(end -> machines.add(end.machine()));
    await(machines, ends, stream, deadline);
  }

  private static void await(
      Set<GpuCalls> machines, List<RequestEnd> ends, GpuStream stream, Duration deadline)
      throws TimeoutException {
    machines.forEach(machine -> machine.busy.add(stream));
    boolean asked =
        StreamEnd.asked(
            stream.stream()::idle,
            () -> machines.stream().anyMatch(machine -> machine.window.aborted()),
            () -> machines.forEach(machine -> machine.abort.set(1)),
            deadline,
            machines.iterator().next().clock);
    machines.forEach(machine -> machine.busy.remove(stream));
    machines.forEach(machine -> machine.window.requireLive());
    for (RequestEnd end : ends) {
      end.requireEnded();
    }
    if (asked) {
      throw new TimeoutException(
          "stream ended after the deadline: stream=%d, deadline=%s; give it more time"
              .formatted(stream.id(), deadline));
    }
  }

  /** This rank's end of a request, at a place of its GPU's memory. */
  final class RequestEnd implements CallMachine.End {
    private final RequestKey key;
    private final int place;
    private final long number;
    private final int lanes;
    private final BlockResidency blocks;
    private final CallKernel.Call call;
    private List<Integer> known = List.of();
    private boolean recorded;

    private RequestEnd(
        RequestKey key,
        int place,
        long number,
        int lanes,
        BlockResidency blocks,
        CallKernel.Call call) {
      this.key = key;
      this.place = place;
      this.number = number;
      this.lanes = lanes;
      this.blocks = blocks;
      this.call = call;
      int rank = window.rank();
      call.place(places.state(rank, place), places.status(rank, place), abort.address());
      call.value("n", window.world());
      call.value("r", rank);
      call.value("K", lanes);
      call.value("S", number);
      for (int peer = 0; peer < window.world(); peer++) {
        call.base(window.world(), "life", peer, places.life(rank, place));
        call.base(window.world(), "out", peer, window.address(peer, key.offset(), key.length()));
      }
    }

    private GpuCalls machine() {
      return GpuCalls.this;
    }

    private BlockResidency blocks() {
      return blocks;
    }

    @Override
    public void quiet(CallStream stream, Duration deadline) throws TimeoutException {
      GpuCalls.await(Set.of(machine()), List.of(), stream(stream), deadline);
    }

    @Override
    public void renew() {
      // Cleared before peers learn the place: no signal of this request is lost.
      gpu.clear(places.slots(window.rank(), place), RequestPlaces.stride(window.world()));
      gpu.write(places.life(window.rank(), place), new long[] {number});
    }

    @Override
    public void met(List<Integer> others) {
      if (recorded && !others.equals(known)) {
        throw new MachineException(
            "peers keep the request elsewhere now: %s, places=%s, recorded=%s; destroy it on every rank, and record anew"
                .formatted(key, others, known));
      }
      known = others;
      for (int peer = 0; peer < others.size(); peer++) {
        call.base(window.world(), "", peer, places.slots(peer, others.get(peer)));
      }
    }

    private void set(Transfer transfer) {
      long source = key.exchange().source(window.world(), transfer.bytes());
      call.base(
          window.world(),
          "in",
          window.rank(),
          window.address(transfer.from(), transfer.fromOffset(), source));
      call.value("B", transfer.bytes());
    }

    @Override
    public long run(CallStream stream, Transfer transfer, long epoch, Duration deadline)
        throws TimeoutException {
      GpuStream on = stream(stream);
      set(transfer);
      call.timeout(Math.max(TIMEOUT, Deadline.in(deadline, clock).left()));
      on.stream().launch(call.launch());
      GpuCalls.await(List.of(this), on, deadline);
      return made();
    }

    @Override
    public void record(CallStream stream, Transfer transfer) {
      GpuStream on = stream(stream);
      set(transfer);
      call.timeout(TIMEOUT);
      on.stream().launch(call.launch());
      on.own().ifPresent(graph -> graph.add(this));
      recorded = true;
    }

    private GpuStream stream(CallStream stream) {
      if (stream instanceof GpuStream own) {
        return own;
      }
      throw new IllegalArgumentException(
          "stream of another machine: class=%s; use one of the rank's GPU"
              .formatted(stream.getClass().getSimpleName()));
    }

    /** The number of calls so far, eager calls and replays together. */
    private long made() {
      return gpu.readWord(places.state(window.rank(), place));
    }

    private void requireEnded() throws TimeoutException {
      long status = gpu.readWord(places.status(window.rank(), place));
      if (status != LaneStatus.RUNNING) {
        throw new TimeoutException(
            "call not complete: %s, rank=%d, call=%d, missing=%s; find out why these ranks have not arrived"
                .formatted(key, window.rank(), made() + 1, missing(made() + 1)));
      }
    }

    /** The peers that have not yet signalled in their slots that they make this call, too. */
    private Set<Integer> missing(long epoch) {
      Set<Integer> missing = new TreeSet<>();
      long slots = places.slots(window.rank(), place);
      for (int peer = 0; peer < window.world(); peer++) {
        for (int slot = 0; slot < RequestPlaces.rowSlots(lanes); slot++) {
          long at = slots + RequestPlaces.row(peer, lanes) + (long) slot * RequestPlaces.SLOT;
          if (peer != window.rank() && gpu.readWord(at) < epoch) {
            missing.add(peer);
          }
        }
      }
      return missing;
    }

    /** A later replay finds another request's number at its place, or none. */
    private void kill() {
      gpu.write(places.life(window.rank(), place), new long[] {DEAD});
    }

    @Override
    public void close() {
      if (open.remove(this)) {
        try (call) {
          kill();
        }
      }
    }
  }
}
