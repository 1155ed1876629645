package dev.oriel.ports.channel;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.ports.Window;
import java.util.Optional;

/**
 * How a message is laid out in the ring of a channel, and how the receiver knows that it has
 * arrived.
 *
 * <p>With packets each store of the sender carries its own flag. This takes one traversal of the
 * link instead of two, at the cost of half of the ring ({@link #LL}) or a sixteenth of it ({@link
 * #LL128}).
 *
 * <p>A network interface places a write in parts but keeps aligned words of 8 bytes whole. In
 * {@link #LL} each such word has its own flag, so its packets also pass through interfaces: the
 * sender prepares them in its stage and puts them unchanged, and no signal follows. A line has one
 * flag for 16 words, so {@link #LL128} needs mapped memory.
 */
public enum ChannelMode {
  /** Plain bytes, and a signal after each tile; on every link. */
  SIMPLE(ChannelSpec.QUANTUM, ChannelSpec.QUANTUM),
  /**
   * Packets of 16 bytes, 8 of them data, with two flags: whole or torn in the middle; on every
   * link.
   */
  LL(PacketFormat.PKT16),
  /** Lines of 128 bytes, 120 of them data; on links that keep a line whole. */
  LL128(PacketFormat.LINE128);

  private final int unit;
  private final int payload;
  private final Optional<PacketFormat> packets;

  ChannelMode(int unit, int payload) {
    this.unit = unit;
    this.payload = payload;
    this.packets = Optional.empty();
  }

  ChannelMode(PacketFormat packets) {
    this.unit = packets.bytes();
    this.payload = packets.payload();
    this.packets = Optional.of(packets);
  }

  /** The granularity in bytes of ring offsets and cursors. */
  public int unit() {
    return unit;
  }

  /** Bytes of the ring that {@code bytes} on the wire take. */
  public long image(long bytes) {
    return Math.ceilDiv(bytes, payload) * (long) unit;
  }

  /** Bytes on the wire that fit in {@code bytes} of the ring. */
  long room(long bytes) {
    return bytes / unit * payload;
  }

  /** The format of the ring's packets, if it has packets. */
  public Optional<PacketFormat> packets() {
    return packets;
  }

  /** Whether the link to that rank keeps whole the unit that this mode needs whole. */
  public boolean goesTo(Window window, int peer) {
    return this != LL128 || window.mapped(peer);
  }

  /** Identifies the mode in the word by which ends announce themselves; never 0. */
  @SuppressWarnings("EnumOrdinal") // both ends are of one version
  int code() {
    return ordinal() + 1;
  }

  /** The name of the mode with that code. */
  static String named(int code) {
    return code >= 1 && code <= values().length ? values()[code - 1].name() : "none";
  }
}
