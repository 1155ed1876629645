package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.CompletionBytes;
import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.QueueRing;
import java.nio.ByteBuffer;

/**
 * A completion queue in memory that its reader polls. A <em>collapsed</em> one writes every
 * completion into its first place and cannot be overrun. Any other must be read in time; otherwise
 * the queue, and the queue pair that reports to it, go into error.
 */
public final class SoftCompletionQueue {
  private final int number;
  private final ByteBuffer places;
  private final ByteBuffer record;
  private final QueueRing ring;
  private final boolean collapsed;
  private long count;
  private long consumed;
  private boolean overrun;

  SoftCompletionQueue(int number, ByteBuffer places, ByteBuffer record, boolean collapsed) {
    QueueMemoryChecks.require("completion queue", places, CompletionElement.BYTES);
    QueueMemoryChecks.require("completion queue's record", record, DoorbellRecord.BYTES);
    this.number = number;
    this.places = places.duplicate();
    this.record = record.duplicate();
    this.ring = new QueueRing(places.capacity() / CompletionElement.BYTES);
    this.collapsed = collapsed;
    CompletionBytes.clear(this.places);
  }

  /** Its number, 24 bits, by which wait elements name it. */
  public int number() {
    return number;
  }

  /** The number of completions written so far. */
  public long count() {
    return count;
  }

  /** Whether the completion of that number, counted from 0 and wrapping, was written. */
  boolean reached(int completion) {
    return (int) count - completion > 0;
  }

  /**
   * Writes a completion. If there is no room, nothing is written ever again. Callers are queue
   * pairs in software, and code that reports for one of hardware.
   *
   * @return whether there was room
   */
  public boolean write(CompletionElement completion) {
    if (!collapsed) {
      long read = QueueRing.consumedFrom(consumed, DoorbellRecord.consumed(record, 0));
      // A record ahead of the written completions is invalid; the last valid one counts.
      consumed = read <= count ? read : consumed;
      overrun |= !ring.hasRoom(count, consumed);
    }
    if (overrun) {
      return false;
    }
    int place = collapsed ? 0 : ring.slot(count);
    CompletionBytes.write(places, CompletionElement.BYTES * place, completion, ring.owner(count));
    count++;
    return true;
  }
}
