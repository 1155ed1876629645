package dev.oriel.it.broken.domain;

/** Breaks the domain's purity. */
final class Logs {
  void log(String line) {
    System.getLogger("oriel").log(System.Logger.Level.INFO, line);
  }
}
