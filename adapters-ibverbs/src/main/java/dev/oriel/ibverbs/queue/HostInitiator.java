package dev.oriel.ibverbs.queue;

import dev.oriel.ports.queue.CompletionWord;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import dev.oriel.ports.queue.SharedQueueMemory;
import dev.oriel.ports.queue.WorkQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;

/** Posts to a queue by its description, from one host thread; never waits. */
final class HostInitiator implements RequestCarrier.OnwardQueue {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final QueueFormat format;
  private final WorkQueue queue;
  private final SharedQueueMemory memory;
  private long posted;
  private long completed;
  private boolean failed;

  /**
   * A poster to one queue.
   *
   * @param memory that contains all of the queue
   */
  HostInitiator(QueueFormat format, WorkQueue queue, SharedQueueMemory memory) {
    this.format = format;
    this.queue = queue;
    this.memory = memory;
  }

  @Override
  public boolean room() {
    return posted - completed() < queue.slots();
  }

  @Override
  public void post(RequestKind kind, boolean fenced, Map<RequestField, Long> fields) {
    Map<RequestField, Long> all = new EnumMap<>(fields);
    all.put(RequestField.COUNT, posted);
    int slot = (int) (posted & queue.slots() - 1);
    byte[] element = queue.image(kind, fenced).filled(format.holes(kind), all);
    memory.bytes().put(place(queue.ring()) + slot * format.elementBytes(), element);
    posted++;
    for (int i = 0; i < format.bells().size(); i++) {
      WorkQueue.Place bell = queue.bells().get(i);
      byte[] word =
          bell.image().filled(format.bells().get(i).holes(), Map.of(RequestField.COUNT, posted));
      ByteBuffer value = ByteBuffer.wrap(word).order(ByteOrder.nativeOrder());
      if (word.length == Integer.BYTES) {
        INT.setRelease(memory.bytes(), place(bell.address()), value.getInt());
      } else {
        LONG.setRelease(memory.bytes(), place(bell.address()), value.getLong());
      }
    }
  }

  @Override
  public long completed() {
    CompletionWord layout = format.completion();
    long word = (long) LONG.getAcquire(memory.bytes(), place(queue.completion()));
    long number = layout.order() == ByteOrder.nativeOrder() ? word : Long.reverseBytes(word);
    long code = number >>> layout.codeShift() & layout.codeMask();
    if (code == layout.done()) {
      completed += (number >>> layout.countShift()) + 1 - completed & layout.countMask();
    } else {
      failed |= code != layout.idle();
    }
    return completed;
  }

  @Override
  public boolean failed() {
    return failed;
  }

  private int place(long address) {
    return Math.toIntExact(address - memory.address());
  }
}
