package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;

/** Registered bytes of this rank. */
final class VerbsMemory implements Fabric.Memory {
  private final VerbsFabric fabric;
  private final int rank;
  private final long bytes;
  private final HostMemory memory;
  private final Exported exported;
  private boolean closed;

  VerbsMemory(VerbsFabric fabric, int rank, long bytes, HostMemory memory, Exported exported) {
    this.fabric = fabric;
    this.rank = rank;
    this.bytes = bytes;
    this.memory = memory;
    this.exported = exported;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public byte[] export() {
    requireOpen();
    return new Wire.Export(rank, memory.address(), bytes, exported.remoteKeys()).bytes();
  }

  @Override
  public void write(long offset, byte[] from) {
    requireOpen();
    Bounds.check(where(), offset, from.length, bytes);
    memory.write(offset, from);
  }

  @Override
  public byte[] read(long offset, int length) {
    requireOpen();
    Bounds.check(where(), offset, length, bytes);
    return memory.read(offset, length);
  }

  @Override
  public long wordAcquire(long offset) {
    requireOpen();
    Bounds.checkWord(where(), offset, bytes);
    return memory.getAcquire(offset);
  }

  /** Bytes of it as a request names them. */
  WorkRequest.Local local(long offset, long length) {
    requireOpen();
    Bounds.check(where(), offset, length, bytes);
    return new WorkRequest.Local(memory.address() + offset, length, exported.localKey(0));
  }

  private void requireOpen() {
    if (closed) {
      throw new MachineException("memory was freed: " + where() + "; allocate it again");
    }
  }

  private String where() {
    return "rank=" + rank;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      exported.close();
      memory.close();
      fabric.released(bytes);
    }
  }
}
