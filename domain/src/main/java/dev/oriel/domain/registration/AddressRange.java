package dev.oriel.domain.registration;

/** Bytes of one address space, from {@code base} on. */
public record AddressRange(long base, long length) {

  public AddressRange {
    if (base < 0 || length < 0 || length > Long.MAX_VALUE - base) {
      throw new IllegalArgumentException(
          "bad span: base="
              + base
              + ", length="
              + length
              + "; base and length count from 0, and base + length must fit 63 bits");
    }
  }

  /** The address after its last byte. */
  public long end() {
    return base + length;
  }

  /**
   * Whether every byte of {@code other} lies in this span; an empty one must lie in it or at its
   * ends.
   */
  public boolean contains(AddressRange other) {
    return base <= other.base && other.end() <= end();
  }
}
