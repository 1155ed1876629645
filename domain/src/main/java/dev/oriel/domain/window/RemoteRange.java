package dev.oriel.domain.window;

/**
 * A rank's published part of a window: its start in the allocation that peers map, its length, and
 * its registration.
 *
 * @param owner the rank
 * @param base the start, in bytes from the start of the mapped allocation; not 0 if the window lies
 *     inside a larger allocation
 * @param size the bytes that peers may touch
 * @param generation counts the registrations of this window; an older one is gone
 */
public record RemoteRange(int owner, long base, long size, long generation) {

  public RemoteRange {
    if (owner < 0 || base < 0 || size < 0 || size > Long.MAX_VALUE - base) {
      throw new IllegalArgumentException(
          "bad range: owner="
              + owner
              + ", base="
              + base
              + ", size="
              + size
              + "; owner, base and size count from 0 and base + size must fit 63 bits");
    }
  }

  /**
   * The start of {@code region} in the mapped allocation, after checks that it lies inside the
   * owner's bytes, belongs to this registration and starts at a multiple of {@code alignment}.
   */
  public long resolve(WindowRegion region, long generation, int alignment) {
    if (generation != this.generation) {
      throw bad(
          "stale generation",
          region,
          "held=" + generation + ", current=" + this.generation,
          "exchange the window again and rebind");
    }
    if (region.end() > size) {
      throw new IndexOutOfBoundsException(
          text(
              "region outside the owner's bytes",
              region,
              "size=" + size,
              "stay below the owner's size"));
    }
    if (alignment < 1 || Integer.bitCount(alignment) != 1) {
      throw bad("bad alignment", region, "alignment=" + alignment, "use a power of two");
    }
    long start = base + region.offset();
    if (start % alignment != 0) {
      throw bad(
          "misaligned region",
          region,
          "base=" + base + ", alignment=" + alignment,
          "start at a multiple of the alignment");
    }
    return start;
  }

  /** The part {@code region} of this range, as its owner publishes it for itself. */
  public RemoteRange part(WindowRegion region) {
    return new RemoteRange(owner, resolve(region, generation, 1), region.length(), generation);
  }

  private IllegalArgumentException bad(
      String what, WindowRegion region, String values, String fix) {
    return new IllegalArgumentException(text(what, region, values, fix));
  }

  private String text(String what, WindowRegion region, String values, String fix) {
    return what
        + ": window="
        + region.window()
        + ", owner="
        + owner
        + ", offset="
        + region.offset()
        + ", length="
        + region.length()
        + ", "
        + values
        + "; "
        + fix;
  }
}
