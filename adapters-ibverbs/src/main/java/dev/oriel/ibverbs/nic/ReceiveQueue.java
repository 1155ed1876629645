package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.ElementPayload;
import dev.oriel.ibverbs.mlx5.QueueRing;
import dev.oriel.ibverbs.mlx5.ReceiveBytes;
import java.nio.ByteBuffer;

/** The posted receives: taken in order, each once. */
final class ReceiveQueue {
  private final ByteBuffer entries;
  private final ByteBuffer record;
  private final QueueRing ring;
  private long taken;

  ReceiveQueue(QueueMemory memory) {
    entries = memory.receives();
    record = memory.record();
    ring = new QueueRing(entries.capacity() / ReceiveBytes.BYTES);
  }

  /**
   * The number of waiting receives; a count above the queue's capacity is invalid, and counts as
   * none.
   */
  int waiting() {
    long posted = QueueRing.countFrom(taken, DoorbellRecord.receives(record, 0));
    return posted - taken > ring.slots() ? 0 : (int) (posted - taken);
  }

  /** The index of the next receive. */
  int index() {
    return QueueRing.index(taken);
  }

  /**
   * Decodes the next receive.
   *
   * @throws dev.oriel.ports.MachineException if its bytes are invalid
   */
  ElementPayload next() {
    return ReceiveBytes.read(entries, ReceiveBytes.BYTES * ring.slot(taken));
  }

  void take() {
    taken++;
  }
}
