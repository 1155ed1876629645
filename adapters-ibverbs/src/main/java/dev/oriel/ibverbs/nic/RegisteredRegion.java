package dev.oriel.ibverbs.nic;

import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.DirectMemory;
import dev.oriel.ports.queue.ReachedMemory;
import java.nio.ByteBuffer;
import java.util.Set;

/** Registered memory: a range of addresses under one key, until it is deregistered. */
public final class RegisteredRegion {
  private final int key;
  private final ReachedMemory memory;
  private final Set<RegionPermission> access;
  private boolean live = true;

  RegisteredRegion(int key, ReachedMemory memory, Set<RegionPermission> access) {
    long address = memory.address();
    if (memory.size() < 1 || (address < 0 && address + memory.size() > 0)) {
      throw new MachineException(
          "memory not registered: address=0x%x, bytes=%d; give at least one byte, and an address that does not wrap"
              .formatted(address, memory.size()));
    }
    this.key = key;
    this.memory = memory;
    this.access = Set.copyOf(access);
  }

  /** The buffer under addresses from that one on, if others can access it as well. */
  static ReachedMemory memory(long address, ByteBuffer memory, Set<RegionPermission> access) {
    if (!memory.isDirect()
        || (memory.isReadOnly() && !access.isEmpty())
        || memory.alignmentOffset(0, Long.BYTES) != Math.floorMod(address, Long.BYTES)) {
      throw new MachineException(
          "memory not registered: address=0x%x, bytes=%d, direct=%b, readOnly=%b; give writable memory outside the heap that is aligned like its address"
              .formatted(address, memory.capacity(), memory.isDirect(), memory.isReadOnly()));
    }
    return new DirectMemory(address, memory);
  }

  /** Local and remote key alike. */
  public int key() {
    return key;
  }

  /** The address of its first byte. */
  public long address() {
    return memory.address();
  }

  /** Ends access by queues; elements under way to it fail. */
  public void giveBack() {
    live = false;
  }

  boolean live() {
    return live;
  }

  boolean allows(RegionPermission what) {
    return access.contains(what);
  }

  ReachedMemory memory() {
    return memory;
  }

  /** Whether all the bytes are in this region. */
  boolean covers(long from, int bytes) {
    long offset = from - address();
    return offset >= 0 && offset <= memory.size() - bytes;
  }

  RegionSpan span(long from, int bytes) {
    return new RegionSpan(this, from - address(), bytes);
  }
}
