package dev.oriel.ports.setup;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The resources to close, last opened first; closing twice does nothing. */
public final class UndoStack {
  private final Deque<Runnable> steps = new ArrayDeque<>();

  public void add(Runnable close) {
    steps.push(close);
  }

  /** Runs every step, even after one that fails; throws the first failure at the end. */
  public void run() {
    @Nullable RuntimeException first = null;
    while (!steps.isEmpty()) {
      try {
        steps.pop().run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Runs every step because of {@code cause}; failures are suppressed in it. */
  public void because(RuntimeException cause) {
    try {
      run();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }
}
