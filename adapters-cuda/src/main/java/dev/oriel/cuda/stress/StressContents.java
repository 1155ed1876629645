package dev.oriel.cuda.stress;

import java.util.Map;

/**
 * The contents of one rank's buffers before a launch, and the expected contents after it.
 *
 * @param before whole buffers, by name
 * @param after the expected contents by name, of buffers that lanes of this rank or others write
 */
public record StressContents(Map<String, byte[]> before, Map<String, ExpectedBytes> after) {
  public StressContents {
    before = Map.copyOf(before);
    after = Map.copyOf(after);
  }

  /**
   * The expected bytes of a whole buffer.
   *
   * @param mask the bits of each byte that are compared
   */
  @SuppressWarnings("ArrayRecordComponent") // only holds arrays; never compared
  public record ExpectedBytes(byte[] bytes, byte[] mask) {
    public ExpectedBytes {
      if (bytes.length != mask.length) {
        throw new IllegalArgumentException(
            "a mask for each byte: bytes=%d, masks=%d".formatted(bytes.length, mask.length));
      }
    }
  }
}
