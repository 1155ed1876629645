package dev.oriel.domain.window;

/**
 * A window's bytes on one rank, handed out from the front in disjoint, aligned pieces.
 *
 * <p>Pure: taking a piece gives the piece and what is left. Ranks of different sizes carve
 * different offsets, which is why these are exchanged and never assumed.
 */
public record Carving(Region free) {

  /** A piece that was taken, and what is left after it. */
  public record Taken(Region piece, Carving rest) {}

  /** All {@code bytes} of {@code window}. */
  public static Carving of(String window, long bytes) {
    return new Carving(new Region(window, 0, bytes));
  }

  /** Takes {@code length} bytes that start at the next multiple of {@code alignment}. */
  public Taken take(long length, int alignment) {
    if (alignment < 1 || Integer.bitCount(alignment) != 1) {
      throw new IllegalArgumentException(
          "bad alignment: alignment=" + alignment + "; use a power of two");
    }
    long padding = -free.offset() & (alignment - 1);
    if (length < 0 || padding > free.length() || length > free.length() - padding) {
      throw new IllegalArgumentException(
          "window exhausted: window="
              + free.window()
              + ", length="
              + length
              + ", alignment="
              + alignment
              + ", padding="
              + padding
              + ", free="
              + free.length()
              + "; enlarge the window or take less");
    }
    Region piece = free.slice(padding, length);
    long used = padding + length;
    return new Taken(piece, new Carving(free.slice(used, free.length() - used)));
  }
}
