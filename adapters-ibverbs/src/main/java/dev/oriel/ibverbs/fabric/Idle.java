package dev.oriel.ibverbs.fabric;

import java.util.concurrent.locks.LockSupport;

/**
 * What a thread does between two looks that found nothing: it spins, soon sleeps for moments, and
 * for longer ones the longer it waited, so that whom it waits for has the processor; what it adds
 * to a wait stays a small part of it. Neither spinning nor yielding alone will do: virtual threads
 * that only yield can keep one that was started from outside their scheduler from ever running, and
 * it may be the one to wait for.
 */
public final class Idle {
  private static final int SPINS = 20;
  private static final long MOMENT = 20_000;
  private static final long LONGEST = 2_000_000;

  /** After so many sleeps the next is a moment longer: about an eighth of the wait so far. */
  private static final int SAME = 16;

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
      LockSupport.parkNanos(Math.min(LONGEST, MOMENT * (1 + (turns - SPINS) / SAME)));
    }
  }
}
