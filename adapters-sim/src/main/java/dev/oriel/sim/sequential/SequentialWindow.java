package dev.oriel.sim.sequential;

import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.WindowPackets;
import dev.oriel.ports.setup.SlotTable;
import dev.oriel.ports.setup.SlotWindow;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** One lane's view of a window whose bytes are visible at once. */
final class SequentialWindow extends SlotWindow<SequentialMemory> {
  private final Map<Integer, WindowMemories<SequentialRemote>> peers;

  SequentialWindow(
      Membership member,
      SlotTable slots,
      SequentialMemory own,
      Map<Integer, WindowMemories<SequentialRemote>> peers) {
    super(member, slots, SequentialMemory.class, own);
    this.peers = peers;
  }

  private SequentialWindow(SequentialWindow host, int lane) {
    super(host, lane);
    this.peers = host.peers;
  }

  @Override
  protected SequentialWindow view(int other) {
    return new SequentialWindow(this, other);
  }

  @Override
  public void put(int peer, long peerOffset, LocalBuffer from, long offset, long length) {
    peer(peer).put(lane(), peerOffset, memory(from), offset, length);
  }

  @Override
  public void get(int peer, long peerOffset, LocalBuffer into, long offset, long length) {
    peer(peer).get(lane(), peerOffset, memory(into), offset, length);
  }

  @Override
  protected void pack(int peer, WindowPackets to, LocalBuffer from, long offset, long length) {
    peer(peer).pack(to, memory(from), offset, length);
  }

  @Override
  protected BooleanSupplier unpacking(
      WindowPackets from, LocalBuffer into, long offset, long length) {
    SequentialMemory target = memory(into);
    return () -> own().unpack(from, target, offset, length);
  }

  @Override
  public void flush(int peer, Duration deadline) {
    peer(peer).flush(deadline);
  }

  @Override
  protected long start(int peer) {
    return peer == rank() ? own().address() : peer(peer).address();
  }

  private SequentialRemote peer(int rank) {
    requirePeer(rank);
    return Objects.requireNonNull(peers.get(rank)).data();
  }
}
