package dev.oriel.ibverbs.nic;

import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.util.Set;

/** Registered memory: addresses from one on, under one key, until it is given back. */
public final class Region {
  private final int key;
  private final long address;
  private final ByteBuffer memory;
  private final Set<Access> access;
  private boolean live = true;

  Region(int key, long address, ByteBuffer memory, Set<Access> access) {
    if (!memory.isDirect()
        || (memory.isReadOnly() && !access.isEmpty())
        || memory.alignmentOffset(0, Long.BYTES) != Math.floorMod(address, Long.BYTES)) {
      throw new MachineException(
          "memory not registered: address=0x%x, bytes=%d, direct=%b, readOnly=%b; give writable memory outside the heap that is aligned like its address"
              .formatted(address, memory.capacity(), memory.isDirect(), memory.isReadOnly()));
    }
    if (memory.capacity() < 1 || (address < 0 && address + memory.capacity() > 0)) {
      throw new MachineException(
          "memory not registered: address=0x%x, bytes=%d; give at least one byte, and an address that does not wrap"
              .formatted(address, memory.capacity()));
    }
    this.key = key;
    this.address = address;
    this.memory = memory.duplicate();
    this.access = Set.copyOf(access);
  }

  /** Local and remote key alike. */
  public int key() {
    return key;
  }

  /** The address of its first byte. */
  public long address() {
    return address;
  }

  /** Queues touch it no more; what is under way to it fails. */
  public void giveBack() {
    live = false;
  }

  boolean live() {
    return live;
  }

  boolean allows(Access what) {
    return access.contains(what);
  }

  ByteBuffer memory() {
    return memory;
  }

  /** Whether all the bytes are its own. */
  boolean covers(long from, int bytes) {
    long offset = from - address;
    return offset >= 0 && offset <= memory.capacity() - (long) bytes;
  }

  Span span(long from, int bytes) {
    return new Span(this, (int) (from - address), bytes);
  }
}
