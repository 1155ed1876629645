package dev.oriel.it.broken.domain;

/** Breaks the domain's purity. */
final class TouchesThread {
  boolean stopped() {
    return Thread.currentThread().isInterrupted();
  }
}
