package dev.oriel.sim.search;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;

/**
 * Starts a thread for each task, and returns once it runs, so that it takes part from the start.
 */
final class StartedThreads implements Executor {
  private final List<Thread> threads = new ArrayList<>();

  @Override
  public void execute(Runnable task) {
    CountDownLatch runs = new CountDownLatch(1);
    threads.add(
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              runs.countDown();
              task.run();
            }));
    boolean interrupted = Thread.interrupted();
    try {
      runs.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  int count() {
    return threads.size();
  }

  /** How many threads were started; all of them have ended, or end without any more work. */
  int ended() {
    try {
      for (Thread thread : threads) {
        thread.join(10_000);
        if (thread.isAlive()) {
          throw new AssertionError("a thread goes on after the search: " + thread);
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return threads.size();
  }
}
