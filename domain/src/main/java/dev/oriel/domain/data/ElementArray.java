package dev.oriel.domain.data;

/** A typed, bounds-checked view of little-endian elements in a byte array that it does not copy. */
public final class ElementArray {

  private final DataType type;
  private final byte[] bytes;
  private final int offset;
  private final int count;

  private ElementArray(DataType type, byte[] bytes, int offset, int count) {
    this.type = type;
    this.bytes = bytes;
    this.offset = offset;
    this.count = count;
  }

  /** Views {@code count} elements from byte {@code offset} on, with any alignment. */
  public static ElementArray of(DataType type, byte[] bytes, int offset, int count) {
    if (offset < 0 || count < 0 || offset + (long) count * type.bytes() > bytes.length) {
      throw new IllegalArgumentException(
          "elements outside their array: type=%s, offset=%d, count=%d, bytes=%d; %s"
              .formatted(type, offset, count, bytes.length, "shorten the view"));
    }
    return new ElementArray(type, bytes, offset, count);
  }

  /** Views as many whole elements as the array holds. */
  public static ElementArray of(DataType type, byte[] bytes) {
    return of(type, bytes, 0, bytes.length / type.bytes());
  }

  /** Views a fresh array of zeros. */
  public static ElementArray zeros(DataType type, int count) {
    return of(type, new byte[Math.multiplyExact(count, type.bytes())], 0, count);
  }

  /** The type of every element. */
  public DataType type() {
    return type;
  }

  /** How many elements the view has. */
  public int count() {
    return count;
  }

  /** The pattern of element {@code index}. */
  public long get(int index) {
    int at = at(index);
    long pattern = 0;
    for (int b = type.bytes() - 1; b >= 0; b--) {
      pattern = pattern << Byte.SIZE | Byte.toUnsignedLong(bytes[at + b]);
    }
    return type.wrap(pattern);
  }

  /** Stores the low bits of a pattern as element {@code index}. */
  public void set(int index, long pattern) {
    int at = at(index);
    for (int b = 0; b < type.bytes(); b++) {
      bytes[at + b] = (byte) (pattern >>> (b * Byte.SIZE));
    }
  }

  /** Whether the two views share a byte. */
  public boolean overlaps(ElementArray other) {
    return sharesArray(other) && offset < other.end() && other.offset < end();
  }

  /** Whether the two views have element 0 at the same byte and elements of the same size. */
  public boolean startsLike(ElementArray other) {
    return sharesArray(other) && offset == other.offset && type.bytes() == other.type.bytes();
  }

  @SuppressWarnings("ReferenceEquality") // the same array, not one with the same content
  private boolean sharesArray(ElementArray other) {
    return bytes == other.bytes;
  }

  private int end() {
    return offset + count * type.bytes();
  }

  private int at(int index) {
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException(
          "no such element: index=%d, count=%d, type=%s; stay inside the view"
              .formatted(index, count, type));
    }
    return offset + index * type.bytes();
  }
}
