package dev.oriel.sim.sequential;

import dev.oriel.domain.packet.PacketImage;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.WindowPackets;
import dev.oriel.ports.setup.OwnMemory;
import dev.oriel.ports.setup.SpanChecks;
import dev.oriel.sim.engine.LittleEndianWords;

/** A part of an allocation of one rank; the wire's monitor guards it. */
final class SequentialMemory implements Fabric.Memory, OwnMemory {
  private final SequentialWire wire;
  private final SequentialFabric fabric;
  private final long name;
  private final byte[] bytes;
  private final RegisteredBuffer registered;
  private final Runnable onClose;
  private boolean closed;

  SequentialMemory(
      SequentialWire wire,
      SequentialFabric fabric,
      int bytes,
      RegisteredBuffer registered,
      Runnable onClose) {
    this.wire = wire;
    this.fabric = fabric;
    this.bytes = new byte[bytes];
    this.registered = registered;
    this.onClose = onClose;
    this.name = wire.add(this);
  }

  /** The registration under which interfaces access it. */
  RegisteredBuffer registered() {
    return registered;
  }

  /** The fabric to which it belongs. */
  @Override
  public SequentialFabric owner() {
    return fabric;
  }

  @Override
  public long bytes() {
    return bytes.length;
  }

  @Override
  public byte[] export() {
    requireOpen();
    return new WireName(WireName.EXPORT, wire.id(), name).bytes();
  }

  @Override
  public void write(long offset, byte[] from) {
    wire.change(() -> place(offset, from));
  }

  @Override
  public byte[] read(long offset, int length) {
    return wire.locked(() -> take(offset, length));
  }

  @Override
  public long wordAcquire(long offset) {
    return wire.locked(() -> {
      requireOpen();
      SpanChecks.checkWord(where(), offset, bytes.length);
      return LittleEndianWords.get(bytes, (int) offset);
    });
  }

  /** Writes bytes; the caller holds the monitor. */
  void place(long offset, byte[] from) {
    requireOpen();
    SpanChecks.check(where(), offset, from.length, bytes.length);
    System.arraycopy(from, 0, bytes, (int) offset, from.length);
  }

  /** Reads bytes; the caller holds the monitor. */
  byte[] take(long offset, long length) {
    requireOpen();
    SpanChecks.check(where(), offset, length, bytes.length);
    byte[] taken = new byte[(int) length];
    System.arraycopy(bytes, (int) offset, taken, 0, taken.length);
    return taken;
  }

  /**
   * Moves the data of packets into other memory, if all have arrived; the caller holds the monitor.
   */
  boolean unpack(WindowPackets from, SequentialMemory into, long offset, long length) {
    byte[] image = take(from.offset(), from.image(length));
    SpanChecks.check(into.where(), offset, length, into.bytes.length);
    boolean here = PacketImage.arrived(from.format(), image, from.flag());
    if (here) {
      into.place(offset, PacketImage.unpack(from.format(), image, (int) length));
    }
    return here;
  }

  /** Sets a word; the caller holds the monitor. */
  void word(long offset, long value) {
    requireOpen();
    SpanChecks.checkWord(where(), offset, bytes.length);
    LittleEndianWords.put(bytes, (int) offset, value);
  }

  void requireOpen() {
    if (closed) {
      throw new MachineException("memory was freed: memory=" + name + "; allocate it again");
    }
  }

  private String where() {
    return "memory=" + name;
  }

  @Override
  public void close() {
    wire.change(() -> {
      if (!closed) {
        closed = true;
        wire.removeMemory(name);
        onClose.run();
      }
    });
  }
}
