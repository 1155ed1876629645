package dev.oriel.ibverbs.verbs;

import dev.oriel.ports.MachineException;

/**
 * How long a queue pair retries before it gives up a peer.
 *
 * @param timeout an answer is late after 4.096 µs times two to this power; 0 is never
 * @param retries how often a request is sent again
 * @param notReady how often it is sent again to a peer without a receive; 7 is without limit
 */
public record RetryLimits(int timeout, int retries, int notReady) {
  /**
   * Gives up a peer after four seconds or more, as devices round it. An answer counts as late only
   * after half a second: after 67 ms, Linux's software device on a busy host repeated requests that
   * were answered, and then a queue sometimes stopped for ever. One less than the most retries:
   * that device takes the most as no limit.
   */
  public static final RetryLimits USUAL = new RetryLimits(17, 6, 7);

  public RetryLimits {
    check("timeout", timeout, 31);
    check("retries", retries, 7);
    check("notReady", notReady, 7);
  }

  private static void check(String what, int value, int most) {
    if (value < 0 || value > most) {
      throw new MachineException(
          "retry out of range: what=%s, value=%d, min=0, max=%d; choose another"
              .formatted(what, value, most));
    }
  }
}
