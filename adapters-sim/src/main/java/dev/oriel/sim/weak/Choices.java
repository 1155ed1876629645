package dev.oriel.sim.weak;

/** Decides what synchronisation leaves open. */
@FunctionalInterface
interface Choices {

  /** One of {@code 0 … options - 1}; asked only where there are several. */
  int choose(int options);
}
