package dev.oriel.ports.contract;

import dev.oriel.ports.queue.CompletionWord;
import dev.oriel.ports.queue.ElementTemplate;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Threads that post to one queue using only its description, with the same steps as lanes of a GPU:
 * reserve a count, await its slot, fill the element, publish it and ring the doorbell.
 */
final class QueuePoster {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final QueueFormat format;
  private final WorkQueue queue;
  private final List<SharedQueueMemory> memories;
  private final long timeout;
  private final AtomicLong reserved = new AtomicLong();
  private final AtomicLong ready = new AtomicLong();
  private final AtomicLong completed = new AtomicLong();
  private final AtomicBoolean lock = new AtomicBoolean();
  private long rung;

  /**
   * @param memories in which the queue was created
   * @param timeout the longest wait in nanoseconds
   */
  QueuePoster(QueueFormat format, WorkQueue queue, List<SharedQueueMemory> memories, long timeout) {
    this.format = format;
    this.queue = queue;
    this.memories = List.copyOf(memories);
    this.timeout = timeout;
  }

  /** The queue's interface reported a failure. */
  static final class FailedQueue extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  void post(RequestKind kind, boolean fenced, Map<RequestField, Long> fields)
      throws TimeoutException {
    long count = reserved.getAndIncrement();
    until(() -> completed() >= count + 1 - queue.slots());
    Map<RequestField, Long> all = new EnumMap<>(fields);
    all.put(RequestField.COUNT, count);
    byte[] element = queue.image(kind, fenced).filled(format.holes(kind), all);
    fill(count, element);
    until(() -> ready.getAcquire() == count);
    ready.setRelease(count + 1);
    until(() -> lock.compareAndSet(false, true));
    ring();
    lock.setRelease(false);
  }

  /** Writes arbitrary bytes in place of the next element, and rings the doorbell. */
  void garbage(byte[] element) {
    long count = reserved.getAndIncrement();
    fill(count, element);
    ready.setRelease(count + 1);
    ring();
  }

  private void fill(long count, byte[] element) {
    int slot = (int) (count & queue.slots() - 1);
    SharedQueueMemory ring = holding(queue.ring());
    ring.bytes().put(place(ring, queue.ring()) + slot * format.elementBytes(), element);
  }

  private void ring() {
    long head = ready.getAcquire();
    if (rung >= head) {
      return;
    }
    for (int i = 0; i < format.bells().size(); i++) {
      WorkQueue.Place bell = queue.bells().get(i);
      SharedQueueMemory memory = holding(bell.address());
      byte[] word =
          new ElementTemplate(bell.image().bytes())
              .filled(format.bells().get(i).holes(), Map.of(RequestField.COUNT, head));
      ByteBuffer value = ByteBuffer.wrap(word).order(ByteOrder.nativeOrder());
      if (word.length == Integer.BYTES) {
        INT.setRelease(memory.bytes(), place(memory, bell.address()), value.getInt());
      } else {
        LONG.setRelease(memory.bytes(), place(memory, bell.address()), value.getLong());
      }
    }
    rung = head;
  }

  /** Returns when all published elements are done. */
  void quiet() throws TimeoutException {
    long all = ready.getAcquire();
    until(() -> completed() >= all);
  }

  long posted() {
    return ready.getAcquire();
  }

  long completed() {
    CompletionWord layout = format.completion();
    long known = completed.getAcquire();
    SharedQueueMemory memory = holding(queue.completion());
    long word = (long) LONG.getAcquire(memory.bytes(), place(memory, queue.completion()));
    long number = layout.order() == ByteOrder.nativeOrder() ? word : Long.reverseBytes(word);
    long code = number >>> layout.codeShift() & layout.codeMask();
    if (code == layout.idle()) {
      return known;
    }
    if (code != layout.done()) {
      throw new FailedQueue();
    }
    long done = known + ((number >>> layout.countShift()) + 1 - known & layout.countMask());
    long was = completed.compareAndExchange(known, done);
    return was == known ? done : was;
  }

  private SharedQueueMemory holding(long address) {
    return memories.stream()
        .filter(m -> address >= m.address() && address < m.address() + m.bytes().capacity())
        .findFirst()
        .orElseThrow();
  }

  private static int place(SharedQueueMemory memory, long address) {
    return Math.toIntExact(address - memory.address());
  }

  @SuppressWarnings("ThreadPriorityCheck")
  void until(BooleanSupplier condition) throws TimeoutException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > timeout) {
        throw new TimeoutException("waited in vain");
      }
      // Not onSpinWait: there may be fewer cores than threads.
      Thread.yield();
    }
  }
}
