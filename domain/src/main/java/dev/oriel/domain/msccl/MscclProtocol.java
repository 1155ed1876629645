package dev.oriel.domain.msccl;

import dev.oriel.domain.packet.PacketFormat;
import java.util.Arrays;
import java.util.Optional;

/**
 * How a connection carries data. A connection is a first-in, first-out queue of a fixed number of
 * slots. A send waits for a free slot, a receive for a full one.
 */
public enum MscclProtocol {
  /**
   * Data, then a counter that covers it. The queue has 8 steps and one transfer takes 4 of them, so
   * two transfers are in flight.
   */
  SIMPLE("Simple", 2, 2L << 20, Optional.empty()),

  /** Every 4 bytes of data travel with 4 bytes of flag. A transfer orders no other memory. */
  LL("LL", 8, 32L << 10, Optional.of(PacketFormat.PKT8)),

  /** Every 120 bytes of data travel with 8 bytes of flag. A transfer orders no other memory. */
  LL128("LL128", 8, 576_000, Optional.of(PacketFormat.LINE128));

  /** The most chunks that one transfer carries, whatever their size. */
  static final int MOST_CHUNKS = 71;

  private final String spelling;
  private final int slots;
  private final long slotBytes;
  private final Optional<PacketFormat> packets;

  MscclProtocol(String spelling, int slots, long slotBytes, Optional<PacketFormat> packets) {
    this.spelling = spelling;
    this.slots = slots;
    this.slotBytes = slotBytes;
    this.packets = packets;
  }

  /** The protocol of that spelling. */
  static Optional<MscclProtocol> named(String spelling) {
    return Arrays.stream(values()).filter(p -> p.spelling.equals(spelling)).findFirst();
  }

  /** The spelling in files. */
  public String spelling() {
    return spelling;
  }

  /** The number of transfers that a connection holds. */
  public int slots() {
    return slots;
  }

  /** The packets in which data travels; empty if a counter announces it. */
  Optional<PacketFormat> packets() {
    return packets;
  }

  /**
   * The most chunks of that many bytes that one transfer carries. The runtime splits a step with
   * more chunks into several transfers. These are the slots of NCCL's default buffers, which
   * Azure's executor has; smaller ones split more.
   */
  int mostChunks(long chunkBytes) {
    return Math.clamp(slotBytes / Math.max(1, chunkBytes), 1, MOST_CHUNKS);
  }

  /** The most bytes of a chunk of which one transfer carries that many. */
  long chunkBytes(int chunks) {
    return slotBytes / chunks;
  }
}
