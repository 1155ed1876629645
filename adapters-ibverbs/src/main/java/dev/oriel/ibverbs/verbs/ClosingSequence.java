package dev.oriel.ibverbs.verbs;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Closes several things one after another, even if some fail. */
public final class ClosingSequence {
  private @Nullable RuntimeException failure;

  /** Executes one step now. */
  public ClosingSequence then(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      if (failure == null) {
        failure = e;
      } else {
        failure.addSuppressed(e);
      }
    }
    return this;
  }

  /** Executes the step for each element now. */
  public <T> ClosingSequence each(Iterable<? extends T> things, Consumer<T> step) {
    things.forEach(thing -> then(() -> step.accept(thing)));
    return this;
  }

  /** Throws the first failure, if any, with the later ones as suppressed. */
  public void end() {
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Closes what was made before a failure.
   *
   * @return that failure, which remains the one to be thrown; failures of closing are suppressed in
   *     it
   */
  public static RuntimeException closeAfter(RuntimeException failure, Runnable close) {
    ClosingSequence closing = new ClosingSequence();
    closing.failure = failure;
    closing.then(close);
    return failure;
  }
}
