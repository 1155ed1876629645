package dev.oriel.sim.sequential;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Region;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Packets;
import dev.oriel.ports.Window;
import dev.oriel.sim.setup.Reached;
import dev.oriel.sim.setup.WindowSetup;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;

/** One lane's view of a window whose bytes are visible at once. */
final class SequentialWindow implements Window, Owned {
  private final Bootstrap ranks;
  private final long generation;
  private final SequentialMemory own;
  private final Map<Integer, Parts<SequentialRemote>> peers;
  private final Reached reached;
  private final WindowSpec spec;
  private final Slots slots;
  private final Fate fate;
  private final Clock clock;
  private final Runnable leave;
  private final int lane;

  /** The window that views of other lanes are of; this one in lane 0. */
  private final SequentialWindow host;

  /** By lane; of the host alone. */
  private final Map<Integer, SequentialWindow> views = new ConcurrentHashMap<>();

  private volatile boolean closed;

  SequentialWindow(
      Bootstrap ranks,
      long generation,
      SequentialMemory own,
      Map<Integer, Parts<SequentialRemote>> peers,
      Reached reached,
      WindowSpec spec,
      Slots slots,
      Fate fate,
      Clock clock,
      Runnable leave) {
    this.ranks = ranks;
    this.generation = generation;
    this.own = own;
    this.peers = peers;
    this.reached = reached;
    this.spec = spec;
    this.slots = slots;
    this.fate = fate;
    this.clock = clock;
    this.leave = leave;
    this.lane = 0;
    this.host = this;
  }

  private SequentialWindow(SequentialWindow host, int lane) {
    this.ranks = host.ranks;
    this.generation = host.generation;
    this.own = host.own;
    this.peers = host.peers;
    this.reached = host.reached;
    this.spec = host.spec;
    this.slots = host.slots.in(lane);
    this.fate = host.fate;
    this.clock = host.clock;
    this.leave = host.leave;
    this.lane = lane;
    this.host = host;
  }

  /** The same window as that lane of this rank uses it. */
  SequentialWindow in(int other) {
    return other == 0
        ? host
        : host.views.computeIfAbsent(other, number -> new SequentialWindow(host, number));
  }

  private void requireHost() {
    if (lane != 0) {
      throw new MachineException(
          "call in a lane: rank=%d, lane=%d; share and close where the lanes have come together"
              .formatted(rank(), lane));
    }
  }

  @Override
  public SequentialMemory memory() {
    requireOpen();
    return own;
  }

  @Override
  public String name() {
    return slots.window();
  }

  @Override
  public int rank() {
    return ranks.rank();
  }

  @Override
  public int world() {
    return ranks.world();
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public WindowView share(Region mine) {
    requireOpen();
    requireHost();
    return fate.during(() -> WindowSetup.share(ranks, "window " + generation, this, mine));
  }

  @Override
  public long bytes(int rank) {
    requireNotClosed();
    requireRank(rank);
    return spec.data().of(rank);
  }

  @Override
  public void write(long offset, byte[] bytes) {
    requireOpen();
    own.write(offset, bytes);
  }

  @Override
  public byte[] read(long offset, int length) {
    requireNotClosed();
    return own.read(offset, length);
  }

  @Override
  public void put(int peer, long peerOffset, LocalBuffer from, long offset, long length) {
    peer(peer).put(lane, peerOffset, Owned.of(from, own), offset, length);
  }

  @Override
  public void putSignal(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id, long value) {
    requireOpen();
    slots.requirePutSignal(peer, id);
    put(peer, peerOffset, from, offset, length);
    slots.signalBehindPut(peer, id, value);
  }

  @Override
  public void putCounted(
      int peer, long peerOffset, LocalBuffer from, long offset, long length, int id) {
    requireOpen();
    long ignored = slots.counterValue(peer, id);
    put(peer, peerOffset, from, offset, length);
    slots.count(peer, id);
  }

  @Override
  public void get(int peer, long peerOffset, LocalBuffer into, long offset, long length) {
    peer(peer).get(lane, peerOffset, Owned.of(into, own), offset, length);
  }

  @Override
  public boolean mapped(int peer) {
    requireOpen();
    requireRank(peer);
    return reached.mapped(peer);
  }

  @Override
  public void putPackets(int peer, Packets to, LocalBuffer from, long offset, long length) {
    SequentialRemote remote = peer(peer);
    reached.requireMapped(peer);
    remote.pack(to, Owned.of(from, own), offset, length);
  }

  @Override
  public boolean takePackets(Packets from, LocalBuffer into, long offset, long length) {
    requireOpen();
    return slots.taken(own, from, Owned.of(into, own), offset, length);
  }

  @Override
  public void takePackets(
      Packets from, LocalBuffer into, long offset, long length, Duration deadline)
      throws TimeoutException {
    requireOpen();
    SequentialMemory target = Owned.of(into, own);
    slots.take(own, from, target, offset, length, Deadline.in(deadline, clock));
  }

  @Override
  public void signal(int peer, int id, long value) {
    requireOpen();
    slots.signal(peer, id, value);
  }

  @Override
  public long signalValue(int source, int id) {
    requireOpen();
    return slots.signalValue(source, id);
  }

  @Override
  public void await(int source, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    requireOpen();
    slots.await(source, id, comparison, value, Deadline.in(deadline, clock));
  }

  @Override
  public void awaitSum(int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    requireOpen();
    slots.awaitSum(id, comparison, value, Deadline.in(deadline, clock));
  }

  @Override
  public long counterValue(int peer, int id) {
    requireOpen();
    return slots.counterValue(peer, id);
  }

  @Override
  public void awaitCounter(int peer, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    requireOpen();
    slots.awaitCounter(peer, id, comparison, value, Deadline.in(deadline, clock));
  }

  @Override
  public void arrive(int id, Team team, Duration deadline) {
    requireOpen();
    Deadline.check(deadline);
    slots.arrive(id, team);
  }

  @Override
  public void flush(int peer, Duration deadline) {
    peer(peer).flush(deadline);
  }

  @Override
  public void barrier(int id, Duration deadline) throws TimeoutException {
    barrier(id, Team.all(world()), deadline);
  }

  @Override
  public void barrier(int id, Team team, Duration deadline) throws TimeoutException {
    requireOpen();
    slots.barrier(id, team, Deadline.in(deadline, clock));
  }

  private SequentialRemote peer(int rank) {
    requireOpen();
    requireRank(rank);
    reached.require(rank);
    return Objects.requireNonNull(peers.get(rank)).data();
  }

  private void requireRank(int rank) {
    if (rank < 0 || rank >= world()) {
      throw new IndexOutOfBoundsException(
          "rank out of range: window=%s, rank=%d, world=%d; use 0 to %d"
              .formatted(name(), rank, world(), world() - 1));
    }
  }

  private void requireOpen() {
    requireNotClosed();
    fate.refuse(null);
  }

  private void requireNotClosed() {
    if (host.closed) {
      throw new MachineException(
          "window is closed: window=%s, generation=%d; create another and use its addresses"
              .formatted(name(), generation));
    }
  }

  @Override
  public void close() {
    requireHost();
    if (!closed) {
      closed = true;
      leave.run();
    }
  }
}
