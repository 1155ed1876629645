package dev.oriel.sim.machine;

/** Decides what is left open inside one step. */
@FunctionalInterface
public interface Branch {

  /** One of {@code 0 … options - 1}. */
  int of(int options);
}
