package dev.oriel.ports;

import dev.oriel.domain.packet.PacketFormat;

/**
 * The place of packets in a window, and the flag by which the receiver knows that they have
 * arrived.
 *
 * @param offset a multiple of the bytes of a packet
 * @param flag not 0, which zeroed memory holds; 32 bits where the format has no more
 */
public record WindowPackets(long offset, PacketFormat format, long flag) {
  private static final long LARGEST = 0xFFFF_FFFFL;

  public WindowPackets {
    boolean fits = format == PacketFormat.LINE128 || Long.compareUnsigned(flag, LARGEST) <= 0;
    if (offset < 0 || offset % format.bytes() != 0 || flag == 0 || !fits) {
      throw new IllegalArgumentException(
          "bad packets: offset=%d, format=%s, flag=%s; use a multiple of %d and a flag of %d bits, not 0"
              .formatted(
                  offset,
                  format,
                  Long.toUnsignedString(flag),
                  format.bytes(),
                  format == PacketFormat.LINE128 ? 64 : 32));
    }
  }

  /** The bytes of the window that the packets of {@code length} bytes cover. */
  public long image(long length) {
    return format.image(length);
  }
}
