package dev.oriel.domain.packet;

import java.util.Locale;

/**
 * The shape of a packet in memory; a reader never sees one half-written.
 *
 * <pre>
 * PKT8     | data 4 | flag 4 |                        one 8-byte store
 * PKT16    | data 4 | flag 4 | data 4 | flag 4 |      twin flags: whole or torn at 8 bytes
 * LINE128  | data 120                  | flag 8 |     needs a link that keeps 128-byte lines whole
 * </pre>
 */
public enum PacketFormat {
  PKT8(8, 4),
  PKT16(16, 8),
  LINE128(128, 120);

  private final int bytes;
  private final int payload;

  PacketFormat(int bytes, int payload) {
    this.bytes = bytes;
    this.payload = payload;
  }

  /** Bytes of one packet in memory. */
  public int bytes() {
    return bytes;
  }

  /** Data bytes that one packet carries. */
  public int payload() {
    return payload;
  }

  /**
   * The number of packets that carry {@code data} bytes: at least one, so that even an empty
   * transfer is seen.
   */
  public long count(long data) {
    return Math.max(1, Math.ceilDiv(data, payload));
  }

  /** Bytes of memory that the packets of {@code data} bytes cover. */
  public long image(long data) {
    return Math.multiplyExact(count(data), (long) bytes);
  }

  /** The spelling in the text form. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
