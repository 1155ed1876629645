package dev.oriel.ports.setup;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import dev.oriel.ports.WindowPackets;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * One lane's view of a window whose slots are words that their writers set. A machine adds the
 * movement of bytes.
 *
 * @param <M> the machine's memory
 */
public abstract class SlotWindow<M extends OwnMemory> implements Window, MachineBuffer<M> {
  private final Membership member;
  private final SlotTable slots;
  private final Class<M> kind;
  private final M own;

  /** The owner of {@link #own}, for messages. */
  private final String whose;

  private final int lane;

  /** The window of lane 0, of which other lanes' windows are views. */
  private final SlotWindow<M> host;

  /** The views by lane; only used in the host. */
  private final Map<Integer, SlotWindow<M>> views = new ConcurrentHashMap<>();

  private volatile boolean closed;

  /**
   * The state that all lanes of a rank share.
   *
   * @param generation the window's number within the bootstrap
   * @param leave the collective action that closes the window
   */
  public record Membership(
      Bootstrap ranks,
      long generation,
      WindowSpec spec,
      RdmaPeers reached,
      AbortState fate,
      Clock clock,
      Runnable leave) {}

  /**
   * The window as lane 0 uses it.
   *
   * @param kind the class of memory
   * @param own this rank's part
   */
  protected SlotWindow(Membership member, SlotTable slots, Class<M> kind, M own) {
    this.member = member;
    this.slots = slots;
    this.kind = kind;
    this.own = own;
    this.whose = "window=%s, owner=%d".formatted(slots.window(), member.ranks().rank());
    this.lane = 0;
    this.host = this;
  }

  /** The window as that lane of this rank uses it. */
  protected SlotWindow(SlotWindow<M> host, int lane) {
    this.member = host.member;
    this.slots = host.slots.in(lane);
    this.kind = host.kind;
    this.own = host.own;
    this.whose = host.whose;
    this.lane = lane;
    this.host = host;
  }

  /** The window as that lane of this rank uses it. */
  final SlotWindow<M> in(int other) {
    return other == 0 ? host : host.views.computeIfAbsent(other, host::view);
  }

  /** Creates a view of the window for that lane; called on the host, once for each lane. */
  protected abstract SlotWindow<M> view(int other);

  /** This rank's part, even if the window may no longer be used. */
  protected final M own() {
    return own;
  }

  @Override
  public final M memory() {
    requireOpen();
    return own;
  }

  /**
   * The memory of {@code buffer}, which must be this rank's.
   *
   * @throws IllegalArgumentException if it is of another membership
   */
  @SuppressWarnings("ReferenceEquality") // the owner of the same membership, not an equal one
  protected final M memory(LocalBuffer buffer) {
    if (buffer instanceof MachineBuffer<?> there) {
      OwnMemory memory = there.memory();
      if (kind.isInstance(memory) && memory.owner() == own.owner()) {
        return kind.cast(memory);
      }
    }
    throw new IllegalArgumentException(
        "buffer of another communicator: class=%s; pass a window or buffer of this one"
            .formatted(buffer.getClass().getSimpleName()));
  }

  @Override
  public final void write(long offset, byte[] bytes) {
    requireOpen();
    SpanChecks.check(whose, offset, bytes.length, own.bytes());
    own.write(offset, bytes);
  }

  @Override
  public final byte[] read(long offset, int length) {
    requireNotClosed();
    SpanChecks.check(whose, offset, length, own.bytes());
    return own.read(offset, length);
  }

  /** The lane of this view. */
  protected final int lane() {
    return lane;
  }

  /** Throws unless this is lane 0, as only the host may make the call. */
  protected final void requireHost() {
    if (lane != 0) {
      throw WindowErrors.inLane(rank(), lane);
    }
  }

  @Override
  public final String name() {
    return slots.window();
  }

  @Override
  public final int rank() {
    return member.ranks().rank();
  }

  @Override
  public final int world() {
    return member.ranks().world();
  }

  @Override
  public final long generation() {
    return member.generation();
  }

  @Override
  public final WindowView share(WindowRegion mine) {
    requireOpen();
    requireHost();
    String step = "window " + generation();
    return member.fate().during(() -> WindowSetup.share(member.ranks(), step, this, mine));
  }

  @Override
  public final long bytes(int rank) {
    requireNotClosed();
    requireRank(rank);
    return member.spec().data().of(rank);
  }

  @Override
  public final void putSignal(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id, long value) {
    requireOpen();
    slots.requirePutSignal(peer, id);
    put(peer, peerOffset, from, offset, length);
    slots.signalAfterPut(peer, id, value);
  }

  @Override
  public final void putCounted(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id) {
    requireOpen();
    long ignored = slots.counterValue(peer, id);
    put(peer, peerOffset, from, offset, length);
    awaitRead(peer);
    slots.count(peer, id);
  }

  /**
   * Waits until the sources of earlier puts to that peer may be overwritten, on machines where puts
   * return earlier.
   */
  protected void awaitRead(int peer) {}

  @Override
  public final boolean mapped(int peer) {
    requireOpen();
    requireRank(peer);
    return member.reached().mapped(peer);
  }

  @Override
  public final OptionalLong nvlinkAddress(int peer) {
    return mapped(peer) && bytes(peer) > 0 ? OptionalLong.of(start(peer)) : OptionalLong.empty();
  }

  /** The address of the first byte of a mapped part that is not empty. */
  protected abstract long start(int peer);

  @Override
  public final void putPackets(
      int peer, WindowPackets to, LocalBuffer from, long offset, long length) {
    requirePeer(peer);
    member.reached().requireMapped(peer);
    pack(peer, to, from, offset, length);
  }

  /** Puts packets into the memory of a mapped peer; the receiver never sees one torn. */
  protected abstract void pack(
      int peer, WindowPackets to, LocalBuffer from, long offset, long length);

  @Override
  public final boolean takePackets(WindowPackets from, LocalBuffer into, long offset, long length) {
    requireOpen();
    return slots.taken(unpacking(from, into, offset, length));
  }

  @Override
  public final void takePackets(
      WindowPackets from, LocalBuffer into, long offset, long length, Duration deadline)
      throws TimeoutException {
    requireOpen();
    slots.take(from, length, unpacking(from, into, offset, length), until(deadline));
  }

  /**
   * A condition that moves the bytes of packets of the own part once all have arrived; evaluated
   * until it is true.
   */
  protected abstract BooleanSupplier unpacking(
      WindowPackets from, LocalBuffer into, long offset, long length);

  @Override
  public final void signal(int peer, int id, long value) {
    requireOpen();
    slots.signal(peer, id, value);
  }

  @Override
  public final long signalValue(int source, int id) {
    requireOpen();
    return slots.signalValue(source, id);
  }

  @Override
  public final void await(int source, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    requireOpen();
    slots.await(source, id, comparison, value, until(deadline));
  }

  @Override
  public final void awaitSum(int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    requireOpen();
    slots.awaitSum(id, comparison, value, until(deadline));
  }

  @Override
  public final long counterValue(int peer, int id) {
    requireOpen();
    return slots.counterValue(peer, id);
  }

  @Override
  public final void awaitCounter(
      int peer, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    requireOpen();
    slots.awaitCounter(peer, id, comparison, value, until(deadline));
  }

  @Override
  public final void arrive(int id, Team team, Duration deadline) throws TimeoutException {
    requireOpen();
    slots.arrive(id, team, until(deadline));
  }

  @Override
  public final void barrier(int id, Duration deadline) throws TimeoutException {
    barrier(id, Team.all(world()), deadline);
  }

  @Override
  public final void barrier(int id, Team team, Duration deadline) throws TimeoutException {
    requireOpen();
    slots.barrier(id, team, until(deadline));
  }

  /** The deadline that much later than now. */
  protected final Deadline until(Duration deadline) {
    return Deadline.in(deadline, member.clock());
  }

  /** Throws if the window is closed, the peer does not exist, or the window does not reach it. */
  protected final void requirePeer(int rank) {
    requireOpen();
    requireRank(rank);
    member.reached().require(rank);
  }

  private void requireRank(int rank) {
    if (rank < 0 || rank >= world()) {
      throw new IndexOutOfBoundsException(
          "rank out of range: window=%s, rank=%d, world=%d; use 0 to %d"
              .formatted(name(), rank, world(), world() - 1));
    }
  }

  /** Whether the world was aborted. */
  protected final boolean isAborted() {
    return member.fate().aborted().isPresent();
  }

  /** Throws if the window is closed or the world was aborted. */
  protected final void requireOpen() {
    requireNotClosed();
    member.fate().refuse(null);
  }

  /** Throws if the window is closed. */
  protected final void requireNotClosed() {
    if (host.closed) {
      throw WindowErrors.closed(name(), generation());
    }
  }

  /** Throws if the memory is still in use, which forbids closing; the caller may try again. */
  protected void requireUnused() {
    // All transfers have completed.
  }

  @Override
  public final void close() {
    requireHost();
    if (!closed) {
      requireUnused();
      closed = true;
      member.leave().run();
    }
  }
}
