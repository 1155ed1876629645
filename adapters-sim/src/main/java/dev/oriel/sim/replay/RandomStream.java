package dev.oriel.sim.replay;

/**
 * A stream of random words that never changes between releases: SplitMix64 with its published
 * constants. The generators of the JDK are not used, since a token must mean the same on any
 * release of it.
 *
 * <p>A split stream is independent of its parent for every practical purpose. {@link #of(long,
 * long)} finds the stream of one execution without drawing those before it.
 */
public final class RandomStream {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
  private static final int FEWEST_FLIPS = 24;

  private final long gamma;
  private long state;

  private RandomStream(long state, long gamma) {
    this.state = state;
    this.gamma = gamma;
  }

  /** The stream of that seed. */
  public static RandomStream of(long seed) {
    return new RandomStream(seed, GOLDEN_GAMMA);
  }

  /** The stream of that seed and that number, independent of the caller. */
  public static RandomStream of(long seed, long index) {
    return new RandomStream(mix(seed) + GOLDEN_GAMMA * index, GOLDEN_GAMMA).split();
  }

  /** The next 64 bits. */
  public long next() {
    state += gamma;
    return mix(state);
  }

  /**
   * A number from 0 to {@code bound} - 1, all equally likely: words that would make some likelier
   * are drawn again (Lemire's multiplication).
   */
  public int below(int bound) {
    if (bound < 1) {
      throw new ReplayException("bound out of range: bound=" + bound + "; give 1 or more");
    }
    while (true) {
      long word = next();
      long low = word * bound;
      // The exact threshold is below the bound, and costs a division.
      if (Long.compareUnsigned(low, bound) >= 0
          || Long.compareUnsigned(low, Long.remainderUnsigned(-(long) bound, bound)) >= 0) {
        return (int) Math.unsignedMultiplyHigh(word, bound);
      }
    }
  }

  /** An independent stream; this one continues. */
  public RandomStream split() {
    long start = next();
    return new RandomStream(start, oddGamma(next()));
  }

  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
    return b ^ (b >>> 31);
  }

  /** An odd number with enough changes between neighbouring bits that its steps look random. */
  private static long oddGamma(long z) {
    long a = (z ^ (z >>> 33)) * 0xff51afd7ed558ccdL;
    long b = (a ^ (a >>> 33)) * 0xc4ceb9fe1a85ec53L;
    long odd = (b ^ (b >>> 33)) | 1L;
    return Long.bitCount(odd ^ (odd >>> 1)) < FEWEST_FLIPS ? odd ^ 0xaaaaaaaaaaaaaaaaL : odd;
  }
}
