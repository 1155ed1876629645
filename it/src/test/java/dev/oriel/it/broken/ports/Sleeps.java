package dev.oriel.it.broken.ports;

import java.time.Duration;

/** A port that sleeps. */
final class Sleeps {
  void sleep() throws InterruptedException {
    Thread.sleep(Duration.ofMillis(1));
  }
}
