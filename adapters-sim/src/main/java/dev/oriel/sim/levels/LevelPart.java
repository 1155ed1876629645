package dev.oriel.sim.levels;

import java.io.Serializable;

/**
 * The states of a search whose fingerprints belong to one part: those seen so far, and those of the
 * last level. The arrays are never changed.
 *
 * @param seen the fingerprints of all states so far, ascending, as the set of visited states orders
 *     them
 * @param frontier the states of the last level, without fingerprints
 * @param count what the last level came to
 */
@SuppressWarnings("ArrayRecordComponent")
public record LevelPart(long[] seen, NodeBlock frontier, LevelCount count) implements Serializable {
  /** Before the first state. */
  public static final LevelPart EMPTY =
      new LevelPart(new long[0], NodeBlock.EMPTY, LevelCount.NONE);

  /** The number, of so many, of the part to which that fingerprint belongs. */
  public static int of(long high, int parts) {
    return (int) Math.unsignedMultiplyHigh(high, parts);
  }

  /** Bytes of memory. */
  public long bytes() {
    return (long) Long.BYTES * seen.length + frontier.bytes();
  }
}
