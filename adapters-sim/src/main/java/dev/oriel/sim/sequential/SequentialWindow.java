package dev.oriel.sim.sequential;

import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Packets;
import dev.oriel.ports.setup.SlotTable;
import dev.oriel.ports.setup.SlotWindow;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** One lane's view of a window whose bytes are visible at once. */
final class SequentialWindow extends SlotWindow implements Owned {
  private final SequentialMemory own;
  private final Map<Integer, Parts<SequentialRemote>> peers;

  /** The window that views of other lanes are of; this one in lane 0. */
  private final SequentialWindow host;

  /** By lane; of the host alone. */
  private final Map<Integer, SequentialWindow> views = new ConcurrentHashMap<>();

  SequentialWindow(
      Membership member,
      SlotTable slots,
      SequentialMemory own,
      Map<Integer, Parts<SequentialRemote>> peers) {
    super(member, slots);
    this.own = own;
    this.peers = peers;
    this.host = this;
  }

  private SequentialWindow(SequentialWindow host, int lane) {
    super(host, lane);
    this.own = host.own;
    this.peers = host.peers;
    this.host = host;
  }

  /** The same window as that lane of this rank uses it. */
  SequentialWindow in(int other) {
    return other == 0
        ? host
        : host.views.computeIfAbsent(other, number -> new SequentialWindow(host, number));
  }

  @Override
  public SequentialMemory memory() {
    requireOpen();
    return own;
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
    peer(peer).put(lane(), peerOffset, Owned.of(from, own), offset, length);
  }

  @Override
  public void get(int peer, long peerOffset, LocalBuffer into, long offset, long length) {
    peer(peer).get(lane(), peerOffset, Owned.of(into, own), offset, length);
  }

  @Override
  protected void pack(int peer, Packets to, LocalBuffer from, long offset, long length) {
    peer(peer).pack(to, Owned.of(from, own), offset, length);
  }

  @Override
  protected BooleanSupplier unpacking(Packets from, LocalBuffer into, long offset, long length) {
    SequentialMemory target = Owned.of(into, own);
    return () -> own.unpack(from, target, offset, length);
  }

  @Override
  public void flush(int peer, Duration deadline) {
    peer(peer).flush(deadline);
  }

  private SequentialRemote peer(int rank) {
    requirePeer(rank);
    return Objects.requireNonNull(peers.get(rank)).data();
  }
}
