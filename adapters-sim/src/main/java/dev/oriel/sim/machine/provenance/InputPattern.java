package dev.oriel.sim.machine.provenance;

import dev.oriel.sim.machine.fingerprint.HashMixer;

/**
 * The contents of inputs: value and origin of a byte depend on its rank, launch, buffer and place.
 */
public final class InputPattern {
  /** The value of an output before a program writes it; it has no origin. */
  public static final long POISON = 0xA5;

  private InputPattern() {}

  /** The byte at that place. Its value is never that of {@link #POISON}. */
  static long at(int rank, long launch, int buffer, long offset) {
    long mixed = mixed(rank, launch, buffer, offset);
    long value = mixed >>> 56;
    return (mixed << (Byte.SIZE + 1)) | (value == POISON ? ~POISON & 0xFF : value);
  }

  /** Random bits of that place, independent of its value. */
  static long bits(int rank, long launch, int buffer, long offset) {
    return mixed(rank, launch, buffer, offset) & -1L >>> Byte.SIZE;
  }

  private static long mixed(int rank, long launch, int buffer, long offset) {
    return HashMixer.spread(
        (rank + 1) * 0x9E3779B97F4A7C15L
            ^ (launch + 1) * 0xC2B2AE3D27D4EB4FL
            ^ (buffer + 1) * 0x165667B19E3779F9L
            ^ offset * 0x27D4EB2F165667C5L);
  }
}
