package dev.oriel.domain.program;

import dev.oriel.domain.packet.PacketFormat;

/**
 * Bytes of a buffer of one or several ranks, from an offset on; the operation gives the length in
 * data bytes. Packets cover {@link PacketFormat#image} bytes of the buffer.
 */
public record Region(String buffer, Peers at, Expr offset, Access access) {

  /** Bytes of the executing rank's own buffer. */
  public static Region of(String buffer, Expr offset) {
    return new Region(buffer, Peers.SELF, offset, Access.WEAK);
  }

  /** The same bytes of that rank's buffer. */
  public Region at(Expr rank) {
    return at(Peers.one(rank));
  }

  /** The same bytes of those ranks' buffers. */
  public Region at(Peers peers) {
    return new Region(buffer, peers, offset, access);
  }

  /** The same place, holding packets with that flag. */
  public Region packets(PacketFormat format, Expr flag) {
    return new Region(buffer, at, offset, new Access.Packets(format, flag));
  }
}
