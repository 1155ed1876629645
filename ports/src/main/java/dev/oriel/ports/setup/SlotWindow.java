package dev.oriel.ports.setup;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Region;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Packets;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * One lane's view of a window whose slots are words that their writers set. What a machine adds is
 * how bytes move.
 *
 * @param <M> the machine's memory
 */
public abstract class SlotWindow<M extends OwnMemory> implements Window, InMemory<M> {
  private final Membership member;
  private final SlotTable slots;
  private final Class<M> kind;
  private final M own;

  /** Whose bytes {@link #own} are, for messages. */
  private final String whose;

  private final int lane;

  /** The window that views of other lanes are of; this one in lane 0. */
  private final SlotWindow<M> host;

  /** By lane; of the host alone. */
  private final Map<Integer, SlotWindow<M>> views = new ConcurrentHashMap<>();

  private volatile boolean closed;

  /**
   * What all lanes of a rank have in common.
   *
   * @param generation which of the bootstrap's windows it is
   * @param leave what closing does, collectively
   */
  public record Membership(
      Bootstrap ranks,
      long generation,
      WindowSpec spec,
      Reached reached,
      Fate fate,
      Clock clock,
      Runnable leave) {}

  /**
   * The window as lane 0 uses it.
   *
   * @param kind of memory
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

  /** The same window as that lane of this rank uses it. */
  protected SlotWindow(SlotWindow<M> host, int lane) {
    this.member = host.member;
    this.slots = host.slots.in(lane);
    this.kind = host.kind;
    this.own = host.own;
    this.whose = host.whose;
    this.lane = lane;
    this.host = host;
  }

  /** The same window as that lane of this rank uses it. */
  final SlotWindow<M> in(int other) {
    return other == 0 ? host : host.views.computeIfAbsent(other, host::view);
  }

  /** The same window, made anew for that lane; asked of the host, once for each. */
  protected abstract SlotWindow<M> view(int other);

  /** This rank's part, whether the window may still be used or not. */
  protected final M own() {
    return own;
  }

  @Override
  public final M memory() {
    requireOpen();
    return own;
  }

  /**
   * The memory of {@code buffer}, in which this rank has it.
   *
   * @throws IllegalArgumentException if it is of another membership
   */
  @SuppressWarnings("ReferenceEquality") // the owner of the same membership, not one alike
  protected final M memory(LocalBuffer buffer) {
    if (buffer instanceof InMemory<?> there) {
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
    Spans.check(whose, offset, bytes.length, own.bytes());
    own.write(offset, bytes);
  }

  @Override
  public final byte[] read(long offset, int length) {
    requireNotClosed();
    Spans.check(whose, offset, length, own.bytes());
    return own.read(offset, length);
  }

  /** Which lane uses it so. */
  protected final int lane() {
    return lane;
  }

  /** Refuses a call that is the host's in any other lane. */
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
  public final WindowView share(Region mine) {
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
    slots.signalBehindPut(peer, id, value);
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
   * Waits until the sources of earlier puts to that peer may be overwritten, where puts return
   * before they may.
   */
  protected void awaitRead(int peer) {}

  @Override
  public final boolean mapped(int peer) {
    requireOpen();
    requireRank(peer);
    return member.reached().mapped(peer);
  }

  @Override
  public final void putPackets(int peer, Packets to, LocalBuffer from, long offset, long length) {
    requirePeer(peer);
    member.reached().requireMapped(peer);
    pack(peer, to, from, offset, length);
  }

  /** Puts packets at a peer that is mapped, whole in the eyes of whoever takes them. */
  protected abstract void pack(int peer, Packets to, LocalBuffer from, long offset, long length);

  @Override
  public final boolean takePackets(Packets from, LocalBuffer into, long offset, long length) {
    requireOpen();
    return slots.taken(unpacking(from, into, offset, length));
  }

  @Override
  public final void takePackets(
      Packets from, LocalBuffer into, long offset, long length, Duration deadline)
      throws TimeoutException {
    requireOpen();
    slots.take(from, length, unpacking(from, into, offset, length), until(deadline));
  }

  /** Moves what packets of the own part carry, if all have come; asked again until they have. */
  protected abstract BooleanSupplier unpacking(
      Packets from, LocalBuffer into, long offset, long length);

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

  /** That much later than now. */
  protected final Deadline until(Duration deadline) {
    return Deadline.in(deadline, member.clock());
  }

  /** Refuses a peer that there is not, or to which the window does not lead, or any once closed. */
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

  /** Whether somebody aborted the world. */
  protected final boolean isAborted() {
    return member.fate().aborted().isPresent();
  }

  /** Refuses any call once it is closed, or the world was aborted. */
  protected final void requireOpen() {
    requireNotClosed();
    member.fate().refuse(null);
  }

  /** Refuses a call once it is closed. */
  protected final void requireNotClosed() {
    if (host.closed) {
      throw WindowErrors.closed(name(), generation());
    }
  }

  /** Refuses to be closed while something that uses the memory is under way; may be asked again. */
  protected void requireUnused() {
    // Transfers have come to their end.
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
