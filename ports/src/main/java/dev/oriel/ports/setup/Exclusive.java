package dev.oriel.ports.setup;

import dev.oriel.ports.MachineException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Whose turn it is at a prepared program: one thread at a time uses it until it is closed, and who
 * comes meanwhile is refused, not kept waiting.
 */
public final class Exclusive {
  private final String program;
  private final AtomicBoolean inUse = new AtomicBoolean();

  /** Of who has the turn alone. */
  private boolean closed;

  /**
   * Nobody's turn yet.
   *
   * @param program its digest, for what is said
   */
  public Exclusive(String program) {
    this.program = program;
  }

  /** Whether somebody has the turn. */
  public boolean inUse() {
    return inUse.get();
  }

  /**
   * A call that nobody interrupts.
   *
   * @throws MachineException if another thread is in one, or it is closed
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
   * @param allowed throws if it cannot be closed yet, which may be tried again
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
