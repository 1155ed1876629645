package dev.oriel.ports;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.RemoteRange;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowView;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * Symmetric memory of a world with its slots, seen from one rank. Used by one thread at a time.
 *
 * <p><b>Scope.</b> A call acts for the calling rank alone unless it says that it is collective.
 * Each owner has one row of signal slots for each source; only that source writes it, so no rank
 * can signal in another's name. A rank has no row at itself.
 *
 * <p><b>Bounds.</b> Offsets and lengths are checked against the size of the owner's part, which may
 * differ per rank, before anything moves; {@link IndexOutOfBoundsException} names owner and size.
 * Ranks and ids are checked in the same way.
 *
 * <p><b>Failure.</b> A blocking call takes a positive deadline and throws {@link TimeoutException}
 * when it passes, naming the missing event; the window stays usable and the call may be repeated. A
 * thread that is interrupted gets a {@link MachineException} and keeps its interrupt status. A
 * closed window refuses every call but {@link #close} with a {@link MachineException} that names
 * its generation. Once a rank has aborted the communicator, a call that blocks ends, and every call
 * but {@link #read} and {@link #close} is refused, with an {@link AbortedException}.
 */
public interface Window extends LocalBuffer {

  /** The name given at creation. */
  String name();

  /** This rank. */
  int rank();

  /** How many ranks share it. */
  int world();

  /**
   * The number of this window, equal on every rank and unique among the windows of a communicator.
   */
  long generation();

  /** Bytes of that rank's part. */
  long bytes(int rank);

  /** Bytes of the own part. */
  @Override
  default long bytes() {
    return bytes(rank());
  }

  /** The whole parts of all ranks, as addresses that are valid as long as the window lives. */
  default WindowView view() {
    return new WindowView(
        name(),
        IntStream.range(0, world())
            .mapToObj(owner -> new RemoteRange(owner, 0, bytes(owner), generation()))
            .toList());
  }

  /**
   * Exchanges pieces: each rank names a piece of its own part, with its own place and length, and
   * gets the addresses of all.
   *
   * <p>Scope: collective. Failure: the same message on every rank, naming the lowest rank whose
   * piece leaves its part; nothing is shared then.
   *
   * @throws MachineException if a piece leaves its owner's part or names another window
   * @throws BootstrapException if ranks are lost, late or elsewhere
   */
  WindowView share(WindowRegion mine);

  /** {@link #put(int, long, LocalBuffer, long, long)} from the own part. */
  default void put(int peer, long peerOffset, long offset, long length) {
    put(peer, peerOffset, this, offset, length);
  }

  /**
   * Copies {@code length} bytes of {@code from} into the part of {@code peer}, which may be this
   * rank.
   *
   * <p>Order: none against other puts and gets. The bytes are visible to the peer once it has
   * awaited a later {@link #signal} or {@link #barrier} of this rank, through any window of the
   * communicator. The source may be overwritten after {@link #flush}.
   *
   * @throws IllegalArgumentException if the buffer is another communicator's
   */
  void put(int peer, long peerOffset, LocalBuffer from, long offset, long length);

  /**
   * {@link #put(int, long, LocalBuffer, long, long)} to {@code offset} of an address that this
   * window gave.
   *
   * @throws IndexOutOfBoundsException if the bytes leave the address
   * @throws IllegalArgumentException naming both generations, if the address is an older window's
   */
  default void put(RemoteRange to, long toOffset, LocalBuffer from, long offset, long length) {
    put(to.owner(), resolve(to, toOffset, length), from, offset, length);
  }

  /**
   * {@link #put(int, long, LocalBuffer, long, long)} that then adds {@code value} to slot {@code
   * id} of the own row there, after the bytes of this put have arrived.
   *
   * <p>Order: a rank that has awaited the slot sees these bytes. The slot does not order earlier
   * puts, writes and signals.
   *
   * @throws IllegalArgumentException if the peer is this rank, or the slot was changed by {@link
   *     #signal}: the two are not ordered, so a slot has one kind
   */
  void putSignal(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id, long value);

  /**
   * {@link #put(int, long, LocalBuffer, long, long)} that adds 1 to the own counter {@code id} for
   * that peer, once its source may be overwritten.
   *
   * <p>Order: after awaiting the counter, the source may be overwritten; the counter does not show
   * that the peer sees the bytes.
   *
   * @throws IllegalArgumentException if the peer is this rank
   */
  void putCounted(int peer, long peerOffset, LocalBuffer from, long offset, long length, int id);

  /** {@link #get(int, long, LocalBuffer, long, long)} into the own part. */
  default void get(int peer, long peerOffset, long offset, long length) {
    get(peer, peerOffset, this, offset, length);
  }

  /**
   * Copies {@code length} bytes of the part of {@code peer}, which may be this rank, into the
   * buffer.
   *
   * <p>Order: none against other puts and gets. The bytes are in the buffer after {@link #flush},
   * which must precede a {@link #signal} that lets the peer overwrite them.
   *
   * @throws IllegalArgumentException if the buffer is another communicator's
   */
  void get(int peer, long peerOffset, LocalBuffer into, long offset, long length);

  /**
   * {@link #get(int, long, LocalBuffer, long, long)} from {@code offset} of an address that this
   * window gave; bounds and generation as for a put.
   */
  default void get(RemoteRange from, long fromOffset, LocalBuffer into, long offset, long length) {
    get(from.owner(), resolve(from, fromOffset, length), into, offset, length);
  }

  private long resolve(RemoteRange range, long offset, long length) {
    if (range.generation() != generation()) {
      throw new IllegalArgumentException(
          "stale generation: window=%s, owner=%d, held=%d, current=%d; take addresses from the window that is open"
              .formatted(name(), range.owner(), range.generation(), generation()));
    }
    return range.resolve(new WindowRegion(name(), offset, length), generation(), 1);
  }

  /**
   * Whether that rank's part is mapped: this rank reaches it by loads and stores and not through a
   * network interface. Both ends of a link agree.
   */
  boolean mapped(int peer);

  /**
   * The address of the first byte of that rank's part for this rank's GPU, or for its threads where
   * memory is the host's. A kernel may load and store there as long as the window is open. Empty if
   * the part is not {@link #mapped}, and for an empty part.
   */
  OptionalLong nvlinkAddress(int peer);

  /**
   * Puts {@code length} bytes of the buffer as packets into the part of {@code peer}, which is
   * mapped: each packet carries its flag in the store that writes its bytes. A length of 0 is one
   * packet.
   *
   * <p>Order: a packet orders its own bytes and nothing else. The source may be overwritten when
   * this returns. The peer must have taken the packets that were there before.
   *
   * @throws MachineException if the peer is not mapped
   */
  void putPackets(int peer, WindowPackets to, LocalBuffer from, long offset, long length);

  /**
   * Takes the {@code length} bytes of packets in the own part, if all of them have arrived with
   * that flag; otherwise does nothing. Does not wait.
   *
   * <p>Order: none, except that the bytes are those of the packets. A later {@link #signal} lets
   * the peer overwrite them.
   *
   * @return whether they had arrived
   */
  boolean takePackets(WindowPackets from, LocalBuffer into, long offset, long length);

  /**
   * Waits until all packets of {@code length} bytes have arrived with that flag, and takes them.
   *
   * @throws TimeoutException naming place and flag; the call may be repeated
   */
  void takePackets(
      WindowPackets from, LocalBuffer into, long offset, long length, Duration deadline)
      throws TimeoutException;

  /**
   * Adds {@code value} to slot {@code id} of the own row at {@code peer}, once; the sum wraps at 64
   * bits.
   *
   * <p>Order: after every earlier put, write and read of this rank and after its earlier signals to
   * that peer. It does not wait for the peer.
   *
   * @throws IllegalArgumentException if the peer is this rank, or the slot was changed by {@link
   *     #putSignal}
   */
  void signal(int peer, int id, long value);

  /** {@link #signal(int, int, long)} to each member but this rank, which need not be one. */
  default void signal(Team team, int id, long value) {
    team.stream().filter(peer -> peer != rank()).forEach(peer -> signal(peer, id, value));
  }

  /** {@link #signal(int, int, long)} to every other rank. */
  default void signalAll(int id, long value) {
    signal(Team.all(world()), id, value);
  }

  /**
   * The current value of slot {@code id} in the row that {@code source} writes here; orders
   * nothing.
   *
   * @throws IllegalArgumentException if the source is this rank
   */
  long signalValue(int source, int id);

  /**
   * Waits until slot {@code id} in the row of {@code source} satisfies the comparison; the data
   * that the observed signals released is then visible. No value is consumed.
   *
   * @throws TimeoutException naming source, slot, the value seen and the value expected
   * @throws IllegalArgumentException if the source is this rank
   */
  void await(int source, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException;

  /** The current sum of slot {@code id} over the rows of all other ranks; orders nothing. */
  default long signalSum(int id) {
    return IntStream.range(0, world())
        .filter(source -> source != rank())
        .mapToLong(source -> signalValue(source, id))
        .sum();
  }

  /**
   * Waits until the sum of slot {@code id} over the rows of all other ranks satisfies the
   * comparison; the data that the signals in that sum released is then visible.
   *
   * <p>A sum cannot distinguish ranks: one that signals too often hides one that has not signalled.
   * {@link dev.oriel.domain.window.SumWait} says when a sum is sound.
   *
   * @throws TimeoutException naming slot, the values seen of each rank and the sum expected
   */
  void awaitSum(int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException;

  /**
   * The number of counted puts to {@code peer} that counter {@code id} has counted so far; orders
   * nothing.
   *
   * @throws IllegalArgumentException if the peer is this rank
   */
  long counterValue(int peer, int id);

  /**
   * Waits until counter {@code id} for {@code peer} satisfies the comparison; the sources of that
   * many counted puts may then be overwritten.
   *
   * @throws TimeoutException naming peer, counter, the value seen and the value expected
   * @throws IllegalArgumentException if the peer is this rank
   */
  void awaitCounter(int peer, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException;

  /**
   * Waits until the sources of earlier puts to {@code peer} may be overwritten and the bytes of
   * earlier gets from it have arrived. It does not show that the peer sees the puts.
   *
   * @throws TimeoutException naming the peer
   */
  void flush(int peer, Duration deadline) throws TimeoutException;

  /**
   * Arrives at the next round of barrier {@code id} without waiting for the others; the next {@link
   * #barrier(int, Team, Duration)} of the id only waits. Does nothing if this rank has already
   * arrived at that round.
   *
   * <p>Order: every put, write, read and flushed get before the arrival happens before every access
   * of a member after the barrier, except this rank's gets of what others put to third ranks.
   * Neither the arrival nor the barrier orders accesses between the two.
   *
   * @throws TimeoutException if earlier puts do not complete; then no peer sees an arrival
   * @throws IllegalArgumentException as for the barrier
   */
  void arrive(int id, Team team, Duration deadline) throws TimeoutException;

  /** {@link #barrier(int, Team, Duration)} of all ranks. */
  void barrier(int id, Duration deadline) throws TimeoutException;

  /**
   * Waits until every member of the team has arrived at this round of barrier {@code id}. Every
   * put, write, read and flushed get of a member before it happens before every access of a member
   * after it, on any link. Two ranks alone are a team of two; each pair needs an id of its own.
   *
   * <p>Scope: collective over the team, of which this rank is a member; each member writes one
   * arrival to each other member. Ids are independent of each other and of signals, and can be used
   * any number of times; an id belongs to one team as long as the window lives. After a timeout the
   * round stays open: the next call with this id continues to wait for it and does not arrive
   * again.
   *
   * @throws TimeoutException naming the members that have not arrived
   * @throws IllegalArgumentException if the id was used with another team, or this rank is not in
   *     the team
   */
  void barrier(int id, Team team, Duration deadline) throws TimeoutException;

  /**
   * Leaves the window and frees the own part; closing twice does nothing.
   *
   * <p>Scope: collective. Order: no part is freed before every rank has entered, so nothing in
   * flight is lost. Failure: {@link BootstrapException} naming the ranks that did not enter; the
   * own part is freed nevertheless.
   */
  @Override
  void close();
}
