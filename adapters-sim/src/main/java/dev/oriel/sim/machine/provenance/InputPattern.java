package dev.oriel.sim.machine.provenance;

import dev.oriel.sim.machine.fingerprint.HashMixer;

/**
 * The contents of inputs: value and origin of a byte depend on its rank, launch, buffer and place.
 */
public final class InputPattern {
  /** The value of an output before a program writes it; it has no origin. */
  public static final long POISON = 0xA5;

  /** Spreads offsets; odd, so that it can be undone. */
  private static final long OFFSET = 0x27D4EB2F165667C5L;

  private static final long PLACE = HashMixer.inverse(OFFSET);

  /** The bit of the mixed word that is neither in a byte's value nor in its origin. */
  private static final long LEFT_OUT = 1L << 55;

  /** The most words that one byte may be made from. */
  static final int UNMIXED = 4;

  private InputPattern() {}

  /** The byte at that place. Its value is never that of {@link #POISON}. */
  static long at(int rank, long launch, int buffer, long offset) {
    long mixed = mixed(rank, launch, buffer, offset);
    long value = mixed >>> 56;
    return (mixed << (Byte.SIZE + 1)) | (value == POISON ? ~POISON & 0xFF : value);
  }

  /** What the byte at that place has above its value. */
  public static long origin(int rank, long launch, int buffer, long offset) {
    return at(rank, launch, buffer, offset) & TaggedBytes.ORIGIN;
  }

  /** Random bits of that place, independent of its value. */
  static long bits(int rank, long launch, int buffer, long offset) {
    return mixed(rank, launch, buffer, offset) & -1L >>> Byte.SIZE;
  }

  private static long mixed(int rank, long launch, int buffer, long offset) {
    return HashMixer.spread(key(rank, launch, buffer) ^ offset * OFFSET);
  }

  /** What the mixed bits of all bytes of one input have in common. */
  static long key(int rank, long launch, int buffer) {
    return (rank + 1) * 0x9E3779B97F4A7C15L
        ^ (launch + 1) * 0xC2B2AE3D27D4EB4FL
        ^ (buffer + 1) * 0x165667B19E3779F9L;
  }

  /**
   * Every word that is mixed into that byte, whatever its place, as {@link #offset} takes it: the
   * byte leaves out one bit, and a value that is not {@link #POISON} may replace it.
   *
   * @return how many there are
   */
  static int unmixed(long octet, long[] into) {
    long value = octet & 0xFF;
    int count = 0;
    for (long top : new long[] {value, POISON}) {
      if (count == 0 || value == (~POISON & 0xFF)) {
        for (long left : new long[] {0, LEFT_OUT}) {
          into[count++] = HashMixer.unspread(top << 56 | left | octet >>> (Byte.SIZE + 1));
        }
      }
    }
    return count;
  }

  /** The offset of the byte with that word in the input with that key; only there is it small. */
  static long offset(long unmixed, long key) {
    return (unmixed ^ key) * PLACE;
  }
}
