package dev.oriel.it.broken.domain;

/** Breaks the domain's purity. */
final class ReadsClock {
  long now() {
    return System.nanoTime();
  }
}
