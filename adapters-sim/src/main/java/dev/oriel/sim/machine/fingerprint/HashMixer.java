package dev.oriel.sim.machine.fingerprint;

/** Mixing of words into fingerprints; the same on every machine. */
public final class HashMixer {
  private static final long A = 0x9E3779B97F4A7C15L;
  private static final long B = 0xD6E8FEB86659FD93L;
  private static final long C = 0xBF58476D1CE4E5B9L;
  private static final long D = 0x94D049BB133111EBL;
  private static final long UNDO_C = inverse(C);
  private static final long UNDO_D = inverse(D);

  private HashMixer() {}

  /** Mixes two words; every bit of both affects the result. */
  public static long mix(long hash, long word) {
    long x = (hash ^ word) * B;
    x ^= x >>> 32;
    return x * A + word;
  }

  /** Mixes one word; every bit of it affects the result. */
  public static long spread(long word) {
    long x = word + A;
    x = (x ^ x >>> 30) * C;
    x = (x ^ x >>> 27) * D;
    return x ^ x >>> 31;
  }

  /** The word that {@link #spread} mixed: there is exactly one. */
  public static long unspread(long mixed) {
    long x = mixed ^ mixed >>> 31 ^ mixed >>> 62;
    x *= UNDO_D;
    x = (x ^ x >>> 27 ^ x >>> 54) * UNDO_C;
    return (x ^ x >>> 30 ^ x >>> 60) - A;
  }

  /** The number whose product with an odd number is 1, modulo 2^64. */
  public static long inverse(long odd) {
    long inverse = odd;
    // Each step doubles the number of right bits; an odd number is its own inverse in three.
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
