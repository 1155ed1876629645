package dev.oriel.it.broken.domain;

/** Breaks the domain's purity. */
final class Prints {
  void print(String line) {
    System.out.println(line);
  }
}
