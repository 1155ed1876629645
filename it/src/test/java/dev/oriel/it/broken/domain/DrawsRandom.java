package dev.oriel.it.broken.domain;

import java.util.Random;

/** Breaks the domain's purity. */
final class DrawsRandom {
  private final Random random = new Random(1);

  int next() {
    return random.nextInt();
  }
}
