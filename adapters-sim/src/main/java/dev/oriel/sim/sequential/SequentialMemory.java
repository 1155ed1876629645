package dev.oriel.sim.sequential;

import dev.oriel.domain.packet.PacketImage;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Packets;
import dev.oriel.ports.setup.OwnMemory;
import dev.oriel.ports.setup.Spans;
import dev.oriel.sim.engine.Words;

/** A part of an allocation of one rank; the wire's monitor guards it. */
final class SequentialMemory implements Fabric.Memory, OwnMemory {
  private final Wire wire;
  private final SequentialFabric fabric;
  private final long name;
  private final byte[] bytes;
  private final Registered registered;
  private final Runnable onClose;
  private boolean closed;

  SequentialMemory(
      Wire wire, SequentialFabric fabric, int bytes, Registered registered, Runnable onClose) {
    this.wire = wire;
    this.fabric = fabric;
    this.bytes = new byte[bytes];
    this.registered = registered;
    this.onClose = onClose;
    this.name = wire.add(this);
  }

  /** The registration under which interfaces access it. */
  Registered registered() {
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
    return new Token(Token.EXPORT, wire.id(), name).bytes();
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
      Spans.checkWord(where(), offset, bytes.length);
      return Words.get(bytes, (int) offset);
    });
  }

  /** Writes bytes; the caller holds the monitor. */
  void place(long offset, byte[] from) {
    requireOpen();
    Spans.check(where(), offset, from.length, bytes.length);
    System.arraycopy(from, 0, bytes, (int) offset, from.length);
  }

  /** Reads bytes; the caller holds the monitor. */
  byte[] take(long offset, long length) {
    requireOpen();
    Spans.check(where(), offset, length, bytes.length);
    byte[] taken = new byte[(int) length];
    System.arraycopy(bytes, (int) offset, taken, 0, taken.length);
    return taken;
  }

  /**
   * Moves the data of packets into other memory, if all have arrived; the caller holds the monitor.
   */
  boolean unpack(Packets from, SequentialMemory into, long offset, long length) {
    byte[] image = take(from.offset(), from.image(length));
    Spans.check(into.where(), offset, length, into.bytes.length);
    boolean here = PacketImage.arrived(from.format(), image, from.flag());
    if (here) {
      into.place(offset, PacketImage.unpack(from.format(), image, (int) length));
    }
    return here;
  }

  /** Sets a word; the caller holds the monitor. */
  void word(long offset, long value) {
    requireOpen();
    Spans.checkWord(where(), offset, bytes.length);
    Words.put(bytes, (int) offset, value);
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
