package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.OwnMemory;
import dev.oriel.ports.setup.SpanChecks;

/** Registered bytes of this rank. */
public final class VerbsMemory implements Fabric.Memory, OwnMemory {
  private final VerbsFabric fabric;
  private final int rank;
  private final long bytes;
  private final HostMemory memory;
  private final ExportedMemory exported;

  /** The bytes that count as allocated by the fabric. */
  private final long counted;

  private boolean closed;

  VerbsMemory(
      VerbsFabric fabric,
      int rank,
      long bytes,
      HostMemory memory,
      ExportedMemory exported,
      long counted) {
    this.fabric = fabric;
    this.rank = rank;
    this.bytes = bytes;
    this.memory = memory;
    this.exported = exported;
    this.counted = counted;
  }

  /** The fabric that allocated it. */
  @Override
  public VerbsFabric owner() {
    return fabric;
  }

  @Override
  public long address() {
    return memory.address();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public byte[] export() {
    requireOpen();
    return new WireMessage.Export(rank, memory.address(), bytes, exported.remoteKeys()).bytes();
  }

  @Override
  public void write(long offset, byte[] from) {
    requireOpen();
    SpanChecks.check(where(), offset, from.length, bytes);
    memory.write(offset, from);
  }

  @Override
  public byte[] read(long offset, int length) {
    requireOpen();
    SpanChecks.check(where(), offset, length, bytes);
    return memory.read(offset, length);
  }

  @Override
  public long wordAcquire(long offset) {
    requireOpen();
    SpanChecks.checkWord(where(), offset, bytes);
    return memory.getAcquire(offset);
  }

  /** Bytes of the memory, as a request names them. */
  WorkRequest.Local local(long offset, long length) {
    requireOpen();
    SpanChecks.check(where(), offset, length, bytes);
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
    fabric.change(() -> {
      if (!closed) {
        closed = true;
        exported.close();
        memory.close();
        fabric.released(counted);
      }
    });
  }
}
