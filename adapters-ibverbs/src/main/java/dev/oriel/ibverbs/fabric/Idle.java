package dev.oriel.ibverbs.fabric;

import java.util.concurrent.locks.LockSupport;

/**
 * What a thread does between two looks that found nothing: it yields, and after a while sleeps for
 * moments. Yielding alone can starve a virtual thread that was started from outside the scheduler:
 * it waits for ever for carriers that always find a yielding one first.
 */
public final class Idle {
  private static final int YIELDS = 200;
  private static final long MOMENT = 20_000;

  private int turns;

  /** Something happened. */
  public void busy() {
    turns = 0;
  }

  /** Nothing happened. */
  public void rest() {
    if (turns++ < YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(MOMENT);
    }
  }
}
