package dev.oriel.ports.channel;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.Epoch;
import dev.oriel.ports.Packets;

/**
 * How far one end of a channel has come. It counts bytes of the ring for as long as the window
 * lives, from the end's opening word on, and wraps like every counter.
 */
final class Cursor {
  private final ChannelSpec spec;

  /** What the slot that tells of it holds. */
  private long count;

  private long at;

  /** How often the ring was gone through, this time included: what flags are made of. */
  private long pass;

  Cursor(ChannelSpec spec, long opening) {
    this.spec = spec;
    this.count = opening;
    this.pass = 1 + Long.divideUnsigned(spec.before(), spec.bytes());
  }

  /** What the slot holds once so many bytes of the ring more are done. */
  long behind(long image) {
    return count + image;
  }

  /**
   * How many bytes the next tile has on the wire where so many are left: it ends with the ring at
   * the latest.
   */
  int next(long left) {
    long room = spec.mode().room(spec.bytes() - at);
    return (int) Math.min(Math.min(spec.tile(), left), room);
  }

  /** Where it is in the window. */
  long place() {
    return spec.base() + at;
  }

  /** Where it is in the ring. */
  long at() {
    return at;
  }

  /** The packets there: every pass writes every packet of the ring anew, with a flag of its own. */
  Packets packets(PacketFormat format) {
    return new Packets(place(), format, Epoch.nz32(pass));
  }

  /** So many bytes of the ring are done. */
  void advance(long image) {
    count += image;
    at += image;
    if (at == spec.bytes()) {
      at = 0;
      pass++;
    }
  }
}
