package dev.oriel.it.broken.ports;

/** A port that reads a clock. */
final class TakesTime {
  long now() {
    return System.nanoTime();
  }
}
