package dev.oriel.cuda.drill;

import java.util.Map;

/**
 * What the buffers of one rank hold ahead of a launch, and what they must hold behind it.
 *
 * @param before whole buffers, by name
 * @param behind by name; of buffers that lanes of this rank or others write
 */
public record Sheet(Map<String, byte[]> before, Map<String, Expected> behind) {
  public Sheet {
    before = Map.copyOf(before);
    behind = Map.copyOf(behind);
  }

  /**
   * A whole buffer.
   *
   * @param mask the bits of each byte that count
   */
  @SuppressWarnings("ArrayRecordComponent") // a holder; nobody compares it
  public record Expected(byte[] bytes, byte[] mask) {
    public Expected {
      if (bytes.length != mask.length) {
        throw new IllegalArgumentException(
            "a mask for each byte: bytes=%d, masks=%d".formatted(bytes.length, mask.length));
      }
    }
  }
}
