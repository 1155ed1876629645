package dev.oriel.it.broken.ports;

import java.time.Duration;

/** A port that waits by itself. */
final class Sleeps {
  void sleep() throws InterruptedException {
    Thread.sleep(Duration.ofMillis(1));
  }
}
