package dev.oriel.domain.window;

/**
 * Bytes of a window on some rank, by offset. {@link RemoteRange#resolve} checks them against the
 * range that the rank exchanged.
 */
public record WindowRegion(String window, long offset, long length) {

  public WindowRegion {
    if (offset < 0 || length < 0) {
      throw new IndexOutOfBoundsException(
          "negative region: "
              + describe(window, offset, length)
              + "; offsets and lengths count from 0");
    }
    if (length > Long.MAX_VALUE - offset) {
      throw new IndexOutOfBoundsException(
          "region overflows: "
              + describe(window, offset, length)
              + "; offset + length must fit 63 bits");
    }
  }

  /** The offset after its last byte. */
  public long end() {
    return offset + length;
  }

  /** Whether the two share a byte; an empty region shares none. */
  public boolean overlaps(WindowRegion other) {
    return window.equals(other.window)
        && Math.max(offset, other.offset) < Math.min(end(), other.end());
  }

  /** Whether every byte of {@code other} lies in this region. */
  public boolean contains(WindowRegion other) {
    return window.equals(other.window) && offset <= other.offset && other.end() <= end();
  }

  /** The {@code length} bytes from {@code offset}, counted from this region's start. */
  public WindowRegion slice(long offset, long length) {
    if (offset < 0 || length < 0 || offset > this.length || length > this.length - offset) {
      throw new IndexOutOfBoundsException(
          "slice out of region: "
              + describe(window, offset, length)
              + ", region="
              + this.length
              + "; stay within the region's length");
    }
    return new WindowRegion(window, this.offset + offset, length);
  }

  private static String describe(String window, long offset, long length) {
    return "window=" + window + ", offset=" + offset + ", length=" + length;
  }
}
