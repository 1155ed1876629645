package dev.oriel.cuda.driver;

/** An open file of this process, closed once by whoever holds it. */
public final class Descriptor implements AutoCloseable {
  private static final int CLOSED = -1;

  private int number;

  Descriptor(int number) {
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
      // Whatever it says, the number is free, and may be another's by now.
      Libc.CLOSE.call(number);
      number = CLOSED;
    }
  }
}
