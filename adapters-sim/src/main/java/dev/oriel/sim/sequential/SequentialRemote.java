package dev.oriel.sim.sequential;

import dev.oriel.domain.packet.PacketImage;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.WindowPackets;
import dev.oriel.ports.setup.SpanChecks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A peer's bytes: every write has arrived when the call returns. */
final class SequentialRemote implements Fabric.Remote {
  private final SequentialWire wire;
  private final int peer;
  private final SequentialMemory memory;

  /** The fabric whose interfaces reach the memory; null where it is mapped. */
  private final @Nullable SequentialFabric by;

  /** The keys under which the peer's interfaces know the memory. */
  private final RegisteredBuffer.Exported exported;

  private final Runnable onClose;
  private boolean closed;

  SequentialRemote(
      SequentialWire wire,
      int peer,
      SequentialMemory memory,
      @Nullable SequentialFabric by,
      Runnable onClose) {
    this.wire = wire;
    this.peer = peer;
    this.memory = memory;
    this.by = by;
    this.exported = wire.locked(() -> memory.registered().export());
    this.onClose = onClose;
  }

  /** The first of the addresses at which the memory is mapped. */
  long address() {
    return memory.address();
  }

  @Override
  public long bytes() {
    return memory.bytes();
  }

  @Override
  public void put(long offset, Fabric.Memory from, long fromOffset, long length) {
    put(0, offset, from, fromOffset, length);
  }

  /** The same through the interface of that lane. */
  void put(int lane, long offset, Fabric.Memory from, long fromOffset, long length) {
    wire.change(() -> {
      requireOpen();
      SpanChecks.check("owner=" + peer, offset, length, memory.bytes());
      byte[] taken = own(from).take(fromOffset, length);
      request(lane, offset, own(from), fromOffset, length);
      memory.place(offset, taken);
    });
  }

  /** Writes bytes of this rank as packets; the memory is mapped. */
  void pack(WindowPackets to, SequentialMemory from, long fromOffset, long length) {
    wire.change(() -> {
      requireOpen();
      SpanChecks.check("owner=" + peer, to.offset(), to.image(length), memory.bytes());
      byte[] taken = from.take(fromOffset, length);
      memory.place(to.offset(), PacketImage.pack(to.format(), taken, to.flag()));
    });
  }

  /**
   * An interface accepts a request only if both ends have registered the memory; a mapped link
   * makes no check.
   */
  private void request(
      int lane, long offset, SequentialMemory local, long localOffset, long length) {
    if (by != null) {
      int number = by.nics().of(lane);
      local.registered().require(number, localOffset, length);
      exported.require(number, offset, length);
      by.nics().transferred(number);
    }
  }

  @Override
  public void get(long offset, Fabric.Memory into, long intoOffset, long length) {
    get(0, offset, into, intoOffset, length);
  }

  /** The same through the interface of that lane. */
  void get(int lane, long offset, Fabric.Memory into, long intoOffset, long length) {
    wire.change(() -> {
      requireOpen();
      SpanChecks.check("owner=" + peer, offset, length, memory.bytes());
      SpanChecks.check("target", intoOffset, length, into.bytes());
      request(lane, offset, own(into), intoOffset, length);
      own(into).place(intoOffset, memory.take(offset, length));
    });
  }

  @Override
  public void wordRelease(long offset, long value) {
    wordRelease(0, offset, value);
  }

  /** The same through the interface of that lane. */
  void wordRelease(int lane, long offset, long value) {
    wire.change(() -> {
      requireOpen();
      if (by != null) {
        SpanChecks.checkWord("owner=" + peer, offset, memory.bytes());
        exported.require(by.nics().of(lane), offset, Long.BYTES);
      }
      memory.word(offset, value);
    });
  }

  @Override
  public void flush(Duration deadline) {
    Deadline.check(deadline);
    requireOpen();
    memory.requireOpen();
  }

  private static SequentialMemory own(Fabric.Memory memory) {
    if (memory instanceof SequentialMemory own) {
      return own;
    }
    throw new IllegalArgumentException(
        "memory of another machine: class=%s; pass what this fabric allocated"
            .formatted(memory.getClass().getSimpleName()));
  }

  private void requireOpen() {
    if (closed) {
      throw new MachineException("access was closed: peer=" + peer + "; open the memory again");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      onClose.run();
    }
  }
}
