package dev.oriel.domain.program;

import dev.oriel.domain.packet.PacketFormat;

/** How the bytes of a region lie in memory and are touched. */
public sealed interface Access {

  /** Ordinary weak accesses, visible to nobody before an edge orders them. */
  Access WEAK = new Weak();

  /** See {@link #WEAK}. */
  record Weak() implements Access {}

  /**
   * Packets that carry their own flag. A packet source polls until every flag has arrived, so it is
   * its own await; even zero bytes travel as one packet, so nothing is ever sent silently.
   */
  record Packets(PacketFormat format, Expr flag) implements Access {}
}
