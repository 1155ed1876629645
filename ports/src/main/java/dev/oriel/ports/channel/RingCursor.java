package dev.oriel.ports.channel;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.Epoch;
import dev.oriel.ports.WindowPackets;

/**
 * The position of one end of a channel. It counts bytes of the ring as long as the window lives,
 * starting at the end's opening word, and wraps like every counter.
 */
final class RingCursor {
  private final ChannelSpec spec;

  /** The value of the slot that announces it. */
  private long count;

  private long at;

  /** The number of passes through the ring, this one included; flags are made of it. */
  private long pass;

  RingCursor(ChannelSpec spec, long opening) {
    this.spec = spec;
    this.count = opening;
    this.pass = 1 + Long.divideUnsigned(spec.before(), spec.bytes());
  }

  /** The value of the slot after {@code image} more bytes of the ring. */
  long after(long image) {
    return count + image;
  }

  /**
   * Bytes of the next tile on the wire if {@code left} remain; a tile never extends past the end of
   * the ring.
   */
  int next(long left) {
    long room = spec.mode().room(spec.bytes() - at);
    return (int) Math.min(Math.min(spec.tile(), left), room);
  }

  /** The position in the window. */
  long place() {
    return spec.base() + at;
  }

  /** The position in the ring. */
  long at() {
    return at;
  }

  /** The packets there; every pass writes every packet of the ring anew, with a flag of its own. */
  WindowPackets packets(PacketFormat format) {
    return new WindowPackets(place(), format, Epoch.nz32(pass));
  }

  /** Moves on by {@code image} bytes of the ring. */
  void advance(long image) {
    count += image;
    at += image;
    if (at == spec.bytes()) {
      at = 0;
      pass++;
    }
  }
}
