package dev.oriel.ibverbs.fabric;

import java.util.concurrent.locks.LockSupport;

/**
 * What a thread does between two looks that found nothing: it spins, and soon sleeps for moments.
 * Neither spinning nor yielding alone will do: virtual threads that only yield can keep one that
 * was started from outside their scheduler from ever running, and it may be the one to wait for.
 */
public final class Idle {
  private static final int SPINS = 20;
  private static final long MOMENT = 20_000;

  private int turns;

  /** Something happened. */
  public void busy() {
    turns = 0;
  }

  /** Nothing happened. */
  public void rest() {
    if (turns++ < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(MOMENT);
    }
  }
}
