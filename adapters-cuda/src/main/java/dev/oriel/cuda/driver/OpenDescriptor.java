package dev.oriel.cuda.driver;

/** An open file of this process, closed once by its holder. */
public final class OpenDescriptor implements AutoCloseable {
  private static final int CLOSED = -1;

  private int number;

  OpenDescriptor(int number) {
    this.number = number;
  }

  /** Its number in this process. */
  synchronized int number() {
    if (number == CLOSED) {
      throw new IllegalStateException("descriptor is closed; use it before");
    }
    return number;
  }

  @Override
  public synchronized void close() {
    if (number != CLOSED) {
      // The number is free whatever the call returns, and another thread may already have got it.
      Libc.CLOSE.call(number);
      number = CLOSED;
    }
  }
}
