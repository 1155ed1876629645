package dev.oriel.domain.program;

import dev.oriel.domain.packet.PacketFormat;

/** The layout of a region's bytes in memory and the kind of access. */
public sealed interface Access {

  /** Ordinary weak accesses, which no other agent sees until an edge orders them. */
  Access WEAK = new Weak();

  /** See {@link #WEAK}. */
  record Weak() implements Access {}

  /**
   * Packets that carry their own flag. A packet source polls until every flag has arrived, so it is
   * its own await. Even zero bytes travel as one packet, so every transfer can be seen.
   */
  record Packets(PacketFormat format, Expr flag) implements Access {}
}
