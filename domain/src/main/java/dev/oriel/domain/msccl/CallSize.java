package dev.oriel.domain.msccl;

import dev.oriel.domain.program.ProgramException;

/** The size of a call for which a plan has a program. */
public final class CallSize {
  private CallSize() {}

  /**
   * The bytes of a chunk in a call of that size.
   *
   * @param bytes of the collective's larger buffer
   * @param unit bytes that no chunk divides
   * @throws ProgramException if the plan is not for calls of that size, or its chunks differ
   */
  public static int chunkBytes(long bytes, long least, long most, int chunks, int unit) {
    if (bytes < Math.max(1, least) || bytes > most) {
      throw new ProgramException(
          "plan is not for that size: bytes=%d, min=%d, max=%d; give a size in between"
              .formatted(bytes, Math.max(1, least), most));
    }
    long grain = (long) chunks * unit;
    if (bytes % grain != 0) {
      throw new ProgramException(
          "size that leaves chunks unequal: bytes=%d, chunks=%d, unit=%d; give a multiple of %d"
              .formatted(bytes, chunks, unit, grain));
    }
    if (bytes / chunks > Integer.MAX_VALUE) {
      throw new ProgramException(
          "chunks are too large: bytes=%d, chunks=%d; give a smaller size"
              .formatted(bytes, chunks));
    }
    return (int) (bytes / chunks);
  }

  /**
   * Refuses a call that a runtime would cut into pieces, since programs have one.
   *
   * @throws ProgramException saying why there would be several
   */
  public static void requireOnePiece(long bytes, boolean one, String why) {
    if (!one) {
      throw new ProgramException(
          "call of several pieces: bytes=%d, cause=%s; give a smaller size".formatted(bytes, why));
    }
  }
}
