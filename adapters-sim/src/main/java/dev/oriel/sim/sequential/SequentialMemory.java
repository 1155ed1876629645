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

  /** Where it begins in the array, and its length. */
  private final int start;

  private final int length;
  private final RegisteredBuffer registered;
  private final Runnable onClose;
  private boolean closed;

  SequentialMemory(
      SequentialWire wire,
      SequentialFabric fabric,
      int bytes,
      RegisteredBuffer registered,
      Runnable onClose) {
    this(wire, fabric, new byte[bytes], 0, bytes, registered, onClose);
  }

  /** A part of an array. */
  SequentialMemory(
      SequentialWire wire,
      SequentialFabric fabric,
      byte[] bytes,
      int start,
      int length,
      RegisteredBuffer registered,
      Runnable onClose) {
    this.wire = wire;
    this.fabric = fabric;
    this.bytes = bytes;
    this.start = start;
    this.length = length;
    this.registered = registered;
    this.onClose = onClose;
    this.name = wire.add(this);
  }

  /** Unique among the ranks of a wire. */
  @Override
  public long address() {
    return registered.address() + fabric.base();
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
    return length;
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
  public byte[] read(long offset, int count) {
    return wire.locked(() -> take(offset, count));
  }

  @Override
  public long wordAcquire(long offset) {
    return wire.locked(() -> {
      requireOpen();
      SpanChecks.checkWord(where(), offset, length);
      return LittleEndianWords.get(bytes, start + (int) offset);
    });
  }

  /** Writes bytes; the caller holds the monitor. */
  void place(long offset, byte[] from) {
    requireOpen();
    SpanChecks.check(where(), offset, from.length, length);
    System.arraycopy(from, 0, bytes, start + (int) offset, from.length);
  }

  /** Reads bytes; the caller holds the monitor. */
  byte[] take(long offset, long count) {
    requireOpen();
    SpanChecks.check(where(), offset, count, length);
    byte[] taken = new byte[(int) count];
    System.arraycopy(bytes, start + (int) offset, taken, 0, taken.length);
    return taken;
  }

  /**
   * Moves the data of packets into other memory, if all have arrived; the caller holds the monitor.
   */
  boolean unpack(WindowPackets from, SequentialMemory into, long offset, long count) {
    byte[] image = take(from.offset(), from.image(count));
    SpanChecks.check(into.where(), offset, count, into.length);
    boolean here = PacketImage.arrived(from.format(), image, from.flag());
    if (here) {
      into.place(offset, PacketImage.unpack(from.format(), image, (int) count));
    }
    return here;
  }

  /** Sets a word; the caller holds the monitor. */
  void word(long offset, long value) {
    requireOpen();
    SpanChecks.checkWord(where(), offset, length);
    LittleEndianWords.put(bytes, start + (int) offset, value);
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
