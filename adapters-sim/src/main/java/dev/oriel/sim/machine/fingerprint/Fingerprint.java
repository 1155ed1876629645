package dev.oriel.sim.machine.fingerprint;

/**
 * A 128-bit digest of a state, as two independent mixes of the same words. Equal states have equal
 * digests on every machine. Among N different states, two share a digest with a probability of
 * about N * N / 2^129.
 */
public final class Fingerprint {
  private static final long A = 0x9E3779B97F4A7C15L;
  private static final long B = 0xD6E8FEB86659FD93L;

  private long high;
  private long low;

  /** Starts a new digest. */
  public void clear() {
    high = A;
    low = B;
  }

  /** Adds one word. */
  public void add(long word) {
    high = Long.rotateLeft((high ^ word) * A, 29);
    low = Long.rotateLeft((low + word) * B, 31);
  }

  public void add(int[] words) {
    add(words, 0, words.length);
  }

  /** Adds a range of an array. */
  public void add(int[] words, int from, int length) {
    long h = high;
    long l = low;
    int end = from + length;
    int i = from;
    for (; i + 1 < end; i += 2) {
      long word = ((long) words[i] << 32) | (words[i + 1] & 0xFFFFFFFFL);
      h = Long.rotateLeft((h ^ word) * A, 29);
      l = Long.rotateLeft((l + word) * B, 31);
    }
    high = h;
    low = l;
    if (i < end) {
      add(words[i]);
    }
  }

  public void add(long[] words) {
    add(words, 0, words.length);
  }

  /** Adds a range of an array. */
  public void add(long[] words, int from, int length) {
    long h = high;
    long l = low;
    for (int i = from; i < from + length; i++) {
      long word = words[i];
      h = Long.rotateLeft((h ^ word) * A, 29);
      l = Long.rotateLeft((l + word) * B, 31);
    }
    high = h;
    low = l;
  }

  /** The first half. */
  public long high() {
    return HashMixer.spread(high);
  }

  /** The second half. */
  public long low() {
    return HashMixer.spread(low);
  }
}
