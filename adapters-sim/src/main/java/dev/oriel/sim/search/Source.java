package dev.oriel.sim.search;

/**
 * The simulator's own source of random numbers: the same on every machine and for every version of
 * Java.
 */
final class Source {
  private long state;

  Source(long seed) {
    state = mix(seed ^ 0x5851F42D4C957F2DL);
  }

  /** Any 64 bits. */
  long next() {
    state += 0x9E3779B97F4A7C15L;
    return mix(state);
  }

  /** One of {@code 0 … bound - 1}, each as likely as another up to 2^-32. */
  int below(int bound) {
    return (int) ((next() >>> 32) * bound >>> 32);
  }

  private static long mix(long word) {
    long x = (word ^ word >>> 30) * 0xBF58476D1CE4E5B9L;
    x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
    return x ^ x >>> 31;
  }
}
