package dev.oriel.sim.sequential;

import dev.oriel.ports.Deadline;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;
import java.time.Duration;

/** A peer's bytes: everything is there as soon as the call returns. */
final class SequentialRemote implements Fabric.Remote {
  private final Wire wire;
  private final int peer;
  private final SequentialMemory memory;
  private final Runnable onClose;
  private boolean closed;

  SequentialRemote(Wire wire, int peer, SequentialMemory memory, Runnable onClose) {
    this.wire = wire;
    this.peer = peer;
    this.memory = memory;
    this.onClose = onClose;
  }

  @Override
  public long bytes() {
    return memory.bytes();
  }

  @Override
  public void put(long offset, Fabric.Memory from, long fromOffset, long length) {
    wire.change(() -> {
      requireOpen();
      Spans.check("owner=" + peer, offset, length, memory.bytes());
      memory.place(offset, own(from).take(fromOffset, length));
    });
  }

  @Override
  public void get(long offset, Fabric.Memory into, long intoOffset, long length) {
    wire.change(() -> {
      requireOpen();
      Spans.check("owner=" + peer, offset, length, memory.bytes());
      own(into).place(intoOffset, memory.take(offset, length));
    });
  }

  @Override
  public void wordRelease(long offset, long value) {
    wire.change(() -> {
      requireOpen();
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
