package dev.oriel.domain.binding;

import dev.oriel.domain.program.ProgramException;

/** Bounds the work of checking one binding, so that no form can keep its checker busy for long. */
final class BindingBudget {
  /** Operations walked and steps of proofs; a few seconds on a laptop. */
  static final int MAX_STEPS = 20_000_000;

  private final int steps;
  private int left;

  BindingBudget() {
    this(MAX_STEPS);
  }

  BindingBudget(int steps) {
    this.steps = steps;
    this.left = steps;
  }

  /** Whether nothing more can be checked. */
  boolean spent() {
    return left < 0;
  }

  void spend() {
    if (--left < 0) {
      throw new ProgramException(
          "binding too large to check: steps=%d; use fewer ranks, lanes, turns or checks"
              .formatted(steps));
    }
  }
}
