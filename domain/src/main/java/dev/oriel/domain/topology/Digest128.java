package dev.oriel.domain.topology;

import java.util.HexFormat;

/**
 * A 128-bit digest of a sequence of 64-bit words: equal on every machine and JVM. Different
 * sequences have different digests except by accident; it is no defence against an attacker.
 */
public record Digest128(long high, long low) {

  /** The digest of {@code words}, their order and their number. */
  public static Digest128 of(long... words) {
    Accumulator accumulator = new Accumulator();
    for (long word : words) {
      accumulator.add(word);
    }
    return accumulator.digest();
  }

  /** Thirty-two hexadecimal digits. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }

  /** Takes words one by one; two accumulators with their own multipliers give the two halves. */
  public static final class Accumulator {
    private static final long HIGH_STEP = 0x9e3779b97f4a7c15L;
    private static final long LOW_STEP = 0xd1342543de82ef95L;

    private long high = HIGH_STEP;
    private long low = LOW_STEP;
    private long count;

    /** Adds one word. */
    public Accumulator add(long word) {
      high = mix(high + word) * HIGH_STEP;
      low = mix(low ^ word) * LOW_STEP;
      count++;
      return this;
    }

    /** The digest of the words added so far. */
    public Digest128 digest() {
      return new Digest128(mix(high ^ count), mix(low + count));
    }

    private static long mix(long word) {
      long once = (word ^ (word >>> 32)) * 0xbf58476d1ce4e5b9L;
      long twice = (once ^ (once >>> 29)) * 0x94d049bb133111ebL;
      return twice ^ (twice >>> 32);
    }
  }
}
