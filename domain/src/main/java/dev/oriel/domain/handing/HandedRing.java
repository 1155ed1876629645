package dev.oriel.domain.handing;

/**
 * When a poster and its proxy may touch the slots of the ring between them, whatever it lies in.
 *
 * <pre>
 * poster   waits for room, fills a slot, then says with a release how many it posted
 * proxy    acquires that count, takes the oldest slot, posts it, one after another;
 *          says with a release how many are done, once the interface has completed them
 *          and what they got has arrived
 * poster   acquires that count before it relies on a completion or fills a slot again
 * </pre>
 *
 * <p>Invariant: {@code done <= taken <= posted <= done + slots}. Counts only grow.
 */
public final class HandedRing {
  private HandedRing() {}

  /** Whether the poster may fill another slot. */
  public static boolean hasRoom(long posted, long done, long slots) {
    return posted - done < slots;
  }

  /** Whether a request waits for the proxy. */
  public static boolean waits(long posted, long taken) {
    return posted != taken;
  }

  /** Whether a poster that keeps to the rules can have said that it posted so many. */
  public static boolean believable(long posted, long taken, long done, long slots) {
    return posted - taken >= 0 && posted - done <= slots;
  }
}
