package dev.oriel.ports.channel;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.ports.Window;
import java.util.Optional;

/**
 * How a message lies in the ring of a channel, and by what the receiver knows that it has come.
 *
 * <p>With packets each store of the sender carries its own flag: one way over the link instead of
 * two, for half of the ring ({@link #LL}) or a sixteenth of it ({@link #LL128}).
 *
 * <p>An interface places a write in parts, of which it keeps aligned words of 8 bytes whole. Of
 * {@link #LL} each such word has its own flag, so its packets go through interfaces as well: the
 * sender makes them in its stage and puts them as they are, and no signal follows. A line has one
 * flag for 16 words, so {@link #LL128} wants memory that is mapped.
 */
public enum Mode {
  /** Plain bytes, and a signal behind each tile; on every link. */
  SIMPLE(ChannelSpec.QUANTUM, ChannelSpec.QUANTUM),
  /**
   * Packets of 16 bytes, 8 of them data, with two flags: whole or torn in the middle; on every
   * link.
   */
  LL(PacketFormat.PKT16),
  /** Lines of 128 bytes, 120 of them data: on links that keep a line whole. */
  LL128(PacketFormat.LINE128);

  private final int unit;
  private final int payload;
  private final Optional<PacketFormat> packets;

  Mode(int unit, int payload) {
    this.unit = unit;
    this.payload = payload;
    this.packets = Optional.empty();
  }

  Mode(PacketFormat packets) {
    this.unit = packets.bytes();
    this.payload = packets.payload();
    this.packets = Optional.of(packets);
  }

  /** Rings begin, and cursors move, by multiples of so many bytes. */
  public int unit() {
    return unit;
  }

  /** Bytes of the ring that so many bytes on the wire take. */
  public long image(long bytes) {
    return Math.ceilDiv(bytes, payload) * (long) unit;
  }

  /** Bytes on the wire that so many bytes of the ring have room for. */
  long room(long bytes) {
    return bytes / unit * payload;
  }

  /** Of what packets the ring is, if it is of any. */
  public Optional<PacketFormat> packets() {
    return packets;
  }

  /** Whether the link to that rank keeps whole what this mode wants whole. */
  public boolean goesTo(Window window, int peer) {
    return this != LL128 || window.mapped(peer);
  }

  /** What tells it from others in the word by which ends say what they are; never 0. */
  @SuppressWarnings("EnumOrdinal") // both ends are of one version
  int code() {
    return ordinal() + 1;
  }

  /** The mode of that code, in words. */
  static String named(int code) {
    return code >= 1 && code <= values().length ? values()[code - 1].name() : "none";
  }
}
