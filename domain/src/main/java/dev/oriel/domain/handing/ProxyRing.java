package dev.oriel.domain.handing;

/**
 * Says when a poster and its proxy may access the slots of the ring between them, in any kind of
 * memory.
 *
 * <pre>
 * poster   waits for room, fills a slot, then stores with a release how many it posted
 * proxy    acquires that count, takes the oldest slot, posts it, one after another;
 *          stores with a release how many are done, once the interface has completed them
 *          and the bytes of gets have arrived
 * poster   acquires that count before it relies on a completion or fills a slot again
 * </pre>
 *
 * <p>Invariant: {@code done <= taken <= posted <= done + slots}. Counts only grow.
 */
public final class ProxyRing {
  private ProxyRing() {}

  /** Whether the poster may fill another slot. */
  public static boolean hasRoom(long posted, long done, long slots) {
    return posted - done < slots;
  }

  /** Whether a request waits for the proxy. */
  public static boolean waits(long posted, long taken) {
    return posted != taken;
  }

  /** Whether {@code posted} is a count that a correct poster can have stored. */
  public static boolean believable(long posted, long taken, long done, long slots) {
    return posted - taken >= 0 && posted - done <= slots;
  }
}
