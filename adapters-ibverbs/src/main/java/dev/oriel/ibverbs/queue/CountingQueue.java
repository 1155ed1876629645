package dev.oriel.ibverbs.queue;

import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * A companion without an interface: the host thread counts another queue's progress in a rank's
 * memory. It executes one element at a time: elements after a wait are not read before the wait is
 * over.
 */
final class CountingQueue implements RequestCarrier.OnwardQueue {
  private final LongSupplier watched;
  private final BooleanSupplier stopped;
  private final ReachedMemory memory;
  private boolean waiting;
  private long awaited;
  private long completed;

  /**
   * A companion of one queue.
   *
   * @param watched the number of elements of the other queue that are done
   * @param stopped whether the other queue will complete no more
   * @param memory of the posting rank
   */
  CountingQueue(LongSupplier watched, BooleanSupplier stopped, ReachedMemory memory) {
    this.watched = watched;
    this.stopped = stopped;
    this.memory = memory;
  }

  @Override
  public boolean room() {
    return !waiting;
  }

  @Override
  public void post(RequestKind kind, boolean fenced, Map<RequestField, Long> fields) {
    switch (kind) {
      case WAIT -> {
        awaited = field(fields, RequestField.AWAITED);
        waiting = true;
      }
      case ADD -> {
        long old = memory.add(word(fields, RequestField.REMOTE), field(fields, RequestField.VALUE));
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        memory.write(word(fields, RequestField.LOCAL), bytes.putLong(old).array());
        completed++;
      }
      case WRITE, WRITE_WORD, READ, COMPARE_SWAP ->
          throw new MachineException(
              "not an element of a companion: kind=%s; post it to the queue itself"
                  .formatted(kind));
    }
  }

  private long word(Map<RequestField, Long> fields, RequestField field) {
    long offset = field(fields, field) - memory.address();
    if (offset < 0 || offset > memory.size() - Long.BYTES || offset % Long.BYTES != 0) {
      throw new MachineException(
          "no word of the rank's memory: field=%s, offset=%d, size=%d; count in an aligned word of own memory"
              .formatted(field, offset, memory.size()));
    }
    return offset;
  }

  private static long field(Map<RequestField, Long> fields, RequestField field) {
    return fields.getOrDefault(field, 0L);
  }

  @Override
  public long completed() {
    if (waiting && watched.getAsLong() - awaited > 0) {
      waiting = false;
      completed++;
    }
    return completed;
  }

  @Override
  public boolean failed() {
    return waiting && stopped.getAsBoolean();
  }
}
