package dev.oriel.ibverbs.verbs;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Closes one thing after another, whichever of them fails. */
public final class Closing {
  private @Nullable RuntimeException failure;

  /** Does one step now. */
  public Closing then(Runnable step) {
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

  /** Does the step with each now. */
  public <T> Closing each(Iterable<? extends T> things, Consumer<T> step) {
    things.forEach(thing -> then(() -> step.accept(thing)));
    return this;
  }

  /** Throws the first failure, if there was one, with those after it. */
  public void end() {
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Closes what was made before something failed.
   *
   * @return that failure, which is the one to tell, with what closing failed by
   */
  public static RuntimeException behind(RuntimeException failure, Runnable close) {
    Closing closing = new Closing();
    closing.failure = failure;
    closing.then(close);
    return failure;
  }
}
