package dev.oriel.ports.setup;

import dev.oriel.ports.MachineException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Exclusive use of a prepared program: one thread at a time uses it until it is closed; a second
 * one is refused instead of being kept waiting.
 */
public final class ExclusiveUse {
  private final String program;
  private final AtomicBoolean inUse = new AtomicBoolean();

  /** Only the thread that uses the program reads or writes this. */
  private boolean closed;

  /**
   * Not in use yet.
   *
   * @param program its digest, for messages
   */
  public ExclusiveUse(String program) {
    this.program = program;
  }

  /** Whether a thread uses it. */
  public boolean inUse() {
    return inUse.get();
  }

  /**
   * Runs a call exclusively.
   *
   * @throws MachineException if another thread uses it, or it is closed
   */
  public <T> T use(Supplier<T> call) {
    return turn(() -> {
      if (closed) {
        throw new MachineException("instance is closed: program=" + program + "; prepare it again");
      }
      return call.get();
    });
  }

  /** Closes it, once. */
  public void close(Runnable end) {
    close(() -> {}, end);
  }

  /**
   * Closes it, once.
   *
   * @param allowed throws if it cannot be closed yet; the caller may try again
   */
  public void close(Runnable allowed, Runnable end) {
    boolean ignored =
        turn(() -> {
          if (!closed) {
            allowed.run();
            closed = true;
            end.run();
          }
          return closed;
        });
  }

  private <T> T turn(Supplier<T> call) {
    if (!inUse.compareAndSet(false, true)) {
      throw new MachineException(
          "instance is in use: program=" + program + "; let one thread at a time use it");
    }
    try {
      return call.get();
    } finally {
      inUse.set(false);
    }
  }
}
