package dev.oriel.ports.setup;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What must be closed, last opened first; closing twice does nothing. */
public final class Undo {
  private final Deque<Runnable> steps = new ArrayDeque<>();

  public void add(Runnable close) {
    steps.push(close);
  }

  /** Does every step, also behind one that fails; the first failure is thrown at the end. */
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

  /** Does every step because of {@code cause}, which is what counts. */
  public void because(RuntimeException cause) {
    try {
      run();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }
}
