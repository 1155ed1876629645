package dev.oriel.ibverbs.nic;

/** Decides which of several steps an interface takes. */
@FunctionalInterface
public interface StepChoice {
  /** The oldest step of the first queue pair that has one. */
  StepChoice FIRST = steps -> 0;

  /** From 0 to {@code steps - 1}; there is at least one step. */
  int of(int steps);
}
