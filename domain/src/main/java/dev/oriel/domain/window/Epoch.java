package dev.oriel.domain.window;

/**
 * A 64-bit round number that wraps; later and earlier are defined within half the number circle.
 */
public record Epoch(long value) {

  /** The epoch of zeroed memory: no round has taken place. */
  public static final Epoch ZERO = new Epoch(0);

  /** The next round. */
  public Epoch next() {
    return new Epoch(value + 1);
  }

  /** The round {@code rounds} later. */
  public Epoch plus(long rounds) {
    return new Epoch(value + rounds);
  }

  /** Whether a word that counts rounds has reached this one. */
  public boolean reachedBy(long word) {
    return Comparison.REACHED.test(word, value);
  }

  /** The packet flag of this round. */
  public int nz32() {
    return (int) nz32(value);
  }

  /**
   * The packet flag of a round: its low 32 bits, or 2^31 where those are 0.
   *
   * <p>Never 0, which zeroed memory holds. It keeps the round's parity, even when either wraps, so
   * it can choose between two halves of packet memory. Rounds that share a half have different
   * flags unless they are 2^31 rounds apart.
   */
  public static long nz32(long round) {
    long low = round & 0xFFFF_FFFFL;
    return low == 0 ? 0x8000_0000L : low;
  }
}
