package dev.oriel.it.broken.domain;

/** Breaks the domain's purity. */
final class AsksProcess {
  int processors() {
    return Runtime.getRuntime().availableProcessors();
  }
}
