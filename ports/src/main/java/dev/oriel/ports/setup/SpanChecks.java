package dev.oriel.ports.setup;

/** Range checks whose messages give the owner of the bytes, their number and the remedy. */
public final class SpanChecks {
  private SpanChecks() {}

  /** Throws unless {@code length} bytes from {@code offset} lie inside {@code bytes} of them. */
  public static void check(String where, long offset, long length, long bytes) {
    if (offset < 0 || length < 0 || offset > bytes || length > bytes - offset) {
      throw new IndexOutOfBoundsException(
          "bytes out of bounds: %s, offset=%d, length=%d, bytes=%d; stay within its bytes"
              .formatted(where, offset, length, bytes));
    }
  }

  /** Throws unless an aligned 64-bit word lies at {@code offset}. */
  public static void checkWord(String where, long offset, long bytes) {
    check(where, offset, Long.BYTES, bytes);
    if (offset % Long.BYTES != 0) {
      throw new IndexOutOfBoundsException(
          "word not aligned: %s, offset=%d; use a multiple of 8".formatted(where, offset));
    }
  }
}
