package dev.oriel.sim.machine.fingerprint;

/** Mixing of words into fingerprints; the same on every machine. */
public final class HashMixer {
  private static final long A = 0x9E3779B97F4A7C15L;
  private static final long B = 0xD6E8FEB86659FD93L;

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
    x = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
    x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
    return x ^ x >>> 31;
  }
}
