package dev.oriel.ibverbs.fabric;

import java.util.concurrent.locks.LockSupport;

/**
 * The pause of a thread between two polls that found nothing. It spins at first, then sleeps for
 * moments, and for longer ones the longer it has waited: the thread that it waits for gets the
 * processor, and the pause adds only a small part to the wait. Neither spinning nor yielding alone
 * is enough. Virtual threads that only yield can keep a thread that was started outside their
 * scheduler from ever running, perhaps the one that they wait for.
 */
public final class PollBackoff {
  private static final int SPINS = 20;
  private static final long MOMENT = 20_000;
  private static final long LONGEST = 2_000_000;

  /** After so many sleeps, the next is a moment longer: about an eighth of the wait so far. */
  private static final int SAME = 16;

  private int turns;

  /** Notes progress: the next pause is a spin. */
  public void busy() {
    turns = 0;
  }

  /** Pauses after a poll that found nothing. */
  public void rest() {
    if (turns++ < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(Math.min(LONGEST, MOMENT * (1 + (turns - SPINS) / SAME)));
    }
  }
}
