package dev.oriel.sim.sequential;

import java.util.ArrayDeque;
import java.util.Deque;

/** What must be closed, last opened first; closing twice does nothing. */
final class Undo {
  private final Deque<Runnable> steps = new ArrayDeque<>();

  void add(Runnable close) {
    steps.push(close);
  }

  void run() {
    while (!steps.isEmpty()) {
      steps.pop().run();
    }
  }
}
