package dev.oriel.sim.engine;

/** The contents of inputs: bytes that identify rank, launch, buffer and offset. */
final class Pattern {
  /** The contents of an output before the program writes it. */
  static final byte POISON = (byte) 0xA5;

  private Pattern() {}

  /** The byte at that place; never {@link #POISON}, so an unwritten byte is detected. */
  static byte at(int rank, long launch, int buffer, long offset) {
    long mixed =
        (rank + 1) * 0x9E3779B97F4A7C15L
            ^ (launch + 1) * 0xC2B2AE3D27D4EB4FL
            ^ (buffer + 1) * 0x165667B19E3779F9L
            ^ offset * 0x27D4EB2F165667C5L;
    mixed ^= mixed >>> 29;
    mixed *= 0xBF58476D1CE4E5B9L;
    byte value = (byte) (mixed >>> 56);
    return value == POISON ? (byte) ~POISON : value;
  }

  /** Fills a whole buffer. */
  static void fill(byte[] bytes, int rank, long launch, int buffer) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = at(rank, launch, buffer, i);
    }
  }
}
