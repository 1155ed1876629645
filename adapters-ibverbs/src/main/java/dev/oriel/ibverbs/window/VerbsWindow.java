package dev.oriel.ibverbs.window;

import dev.oriel.domain.packet.PacketImage;
import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.WindowPackets;
import dev.oriel.ports.setup.SlotTable;
import dev.oriel.ports.setup.SlotWindow;
import dev.oriel.ports.setup.SpanChecks;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** A window whose peers are reached through queue pairs, and the own part by loads and stores. */
final class VerbsWindow extends SlotWindow<VerbsMemory> {
  private final FabricMonitor turns;
  private final Map<Integer, RemotePeer> peers;
  private final PlacementTracker placing;

  VerbsWindow(
      Membership member,
      SlotTable slots,
      FabricMonitor turns,
      VerbsMemory own,
      Map<Integer, RemotePeer> peers,
      PlacementTracker placing) {
    super(member, slots, VerbsMemory.class, own);
    this.turns = turns;
    this.peers = peers;
    this.placing = placing;
  }

  private VerbsWindow(VerbsWindow host, int lane) {
    super(host, lane);
    this.turns = host.turns;
    this.peers = host.peers;
    this.placing = host.placing;
  }

  @Override
  protected VerbsWindow view(int other) {
    return new VerbsWindow(this, other);
  }

  @Override
  public void put(int peer, long peerOffset, LocalBuffer from, long offset, long length) {
    requirePeer(peer);
    VerbsMemory source = memory(from);
    SpanChecks.check("owner=" + peer, peerOffset, length, bytes(peer));
    if (peer == rank()) {
      own().write(peerOffset, source.read(offset, Math.toIntExact(length)));
      return;
    }
    SpanChecks.check("source", offset, length, source.bytes());
    try {
      far(peer).put(peerOffset, source, offset, length);
    } finally {
      // A put that fails midway may be under way in part.
      if (length > 0) {
        placing.put(peer);
      }
    }
  }

  @Override
  protected void awaitRead(int peer) {
    if (peer != rank()) {
      try {
        far(peer).flush(turns.deadline());
      } catch (TimeoutException e) {
        throw new MachineException(String.valueOf(e.getMessage()), e);
      }
    }
  }

  @Override
  public void get(int peer, long peerOffset, LocalBuffer into, long offset, long length) {
    requirePeer(peer);
    VerbsMemory target = memory(into);
    SpanChecks.check("owner=" + peer, peerOffset, length, bytes(peer));
    if (peer == rank()) {
      target.write(offset, own().read(peerOffset, Math.toIntExact(length)));
    } else {
      SpanChecks.check("target", offset, length, target.bytes());
      far(peer).get(peerOffset, target, offset, length);
    }
  }

  @Override
  protected void pack(int peer, WindowPackets to, LocalBuffer from, long offset, long length) {
    VerbsMemory source = memory(from);
    SpanChecks.check("owner=" + peer, to.offset(), to.image(length), bytes(peer));
    // Only the own part is mapped.
    byte[] data = source.read(offset, Math.toIntExact(length));
    own().write(to.offset(), PacketImage.pack(to.format(), data, to.flag()));
  }

  @Override
  protected BooleanSupplier unpacking(
      WindowPackets from, LocalBuffer into, long offset, long length) {
    VerbsMemory target = memory(into);
    int image = Math.toIntExact(from.image(length));
    SpanChecks.check("owner=" + rank(), from.offset(), image, own().bytes());
    SpanChecks.check("target", offset, length, target.bytes());
    return () -> {
      byte[] words = words(from.offset(), image);
      boolean here = PacketImage.arrived(from.format(), words, from.flag());
      if (here) {
        target.write(offset, PacketImage.unpack(from.format(), words, (int) length));
      }
      return here;
    };
  }

  /**
   * Copies word by word, as an interface places the packets: the data of a word are never older
   * than its flag.
   */
  private byte[] words(long offset, int length) {
    ByteBuffer words = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < length; at += Long.BYTES) {
      words.putLong(own().wordAcquire(offset + at));
    }
    return words.array();
  }

  @Override
  public void flush(int peer, Duration deadline) throws TimeoutException {
    requirePeer(peer);
    Deadline.check(deadline);
    if (peer != rank()) {
      try {
        far(peer).flush(until(deadline));
      } catch (TimeoutException e) {
        TimeoutException late =
            new TimeoutException(
                "transfers not complete: window=%s, rank=%d, peer=%d, waited=%s; flush again"
                    .formatted(name(), rank(), peer, deadline));
        late.initCause(e);
        throw late;
      }
    }
  }

  /** Only the own part is mapped. */
  @Override
  protected long start(int peer) {
    return own().address();
  }

  private RemotePeer far(int peer) {
    return Objects.requireNonNull(peers.get(peer));
  }
}
