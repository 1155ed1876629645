package dev.oriel.it.broken.ports;

import java.time.Duration;

/** A permitted port. */
public interface Fine {
  /** Some number. */
  int answer();

  /** A duration is a value; only reading a clock is I/O. */
  default int answer(Duration timeout) {
    return timeout.isZero() ? 0 : answer();
  }
}
