package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.PollBackoff;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Executes what peers request of a rank, until it is closed. */
final class ProgressTask implements Runnable, AutoCloseable {
  /** How long a step of the fabric may last that was under way at the end. */
  private static final long LONGEST_SECONDS = 10;

  private final FabricMonitor turns;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean closed;

  ProgressTask(FabricMonitor turns) {
    this.turns = turns;
  }

  @Override
  public void run() {
    try {
      PollBackoff idle = new PollBackoff();
      while (!closed) {
        if (turns.progress()) {
          idle.busy();
        } else {
          idle.rest();
        }
      }
    } finally {
      ended.countDown();
    }
  }

  /** Returns once the task takes no further step. */
  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
    while (ended.getCount() > 0 && System.nanoTime() < until) {
      try {
        boolean _ = ended.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
