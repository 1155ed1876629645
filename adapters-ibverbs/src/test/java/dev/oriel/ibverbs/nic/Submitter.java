package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.BigEndian;
import dev.oriel.ibverbs.mlx5.CompletionBytes;
import dev.oriel.ibverbs.mlx5.CompletionReporting;
import dev.oriel.ibverbs.mlx5.Doorbell;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.ElementFence;
import dev.oriel.ibverbs.mlx5.ElementWriter;
import dev.oriel.ibverbs.mlx5.QueueRing;
import dev.oriel.ibverbs.mlx5.SendElement;
import dev.oriel.ibverbs.mlx5.SendElement.Head;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Many threads posting to one queue pair that reports into a collapsed queue. Each reserves a
 * count, waits for room, fills, and publishes in the order of reservation; one of them rings for
 * all published elements.
 */
final class Submitter {
  private final QueueMemory memory;
  private final int number;
  private final ByteBuffer place;
  private final QueueRing ring;
  private final AtomicLong reserved = new AtomicLong();
  private final AtomicLong ready = new AtomicLong();
  private final AtomicLong completed = new AtomicLong();
  private final AtomicBoolean ringing = new AtomicBoolean();
  private long rung;

  Submitter(QueueMemory memory, int number, ByteBuffer place) {
    this.memory = memory;
    this.number = number;
    this.place = place;
    ring = new QueueRing(memory.sends().capacity() / SendElement.BLOCK);
  }

  /** The count of the posted element. */
  long post(Function<Head, SendElement> element) {
    long count = reserved.getAndIncrement();
    until(() -> ring.hasRoom(count, completed()));
    Head head =
        new Head(
            QueueRing.index(count), number, ElementFence.NONE, CompletionReporting.ALWAYS, false);
    ElementWriter.write(memory.sends(), SendElement.BLOCK * ring.slot(count), element.apply(head));
    until(() -> ready.getAcquire() == count);
    // Pairs with the acquire of the next thread in order and of the ringing thread.
    ready.setRelease(count + 1);
    ring();
    return count;
  }

  /** Waits until every element posted before is done. */
  void quiet() {
    long all = ready.getAcquire();
    until(() -> completed() >= all);
  }

  private void ring() {
    while (rung() < ready.getAcquire()) {
      if (ringing.compareAndSet(false, true)) {
        long head = ready.getAcquire();
        if (rung < head) {
          DoorbellRecord.postSends(memory.record(), 0, head);
          rung = head;
          BigEndian.putLongRelease(
              memory.register(), 0, new Doorbell(QueueRing.index(head), number).word());
        }
        ringing.set(false);
      } else {
        return;
      }
    }
  }

  private long rung() {
    // A thread that finds the lock taken leaves the doorbell to the holder, which checks again
    // after the release.
    return ringing.get() ? Long.MIN_VALUE : rung;
  }

  private long completed() {
    long known = completed.get();
    if (CompletionBytes.failed(place, 0)) {
      throw new IllegalStateException(CompletionBytes.read(place, 0).toString());
    }
    int index = CompletionBytes.index(place, 0);
    if (index >= 0) {
      completed.accumulateAndGet(QueueRing.completedFrom(known, index), Math::max);
    }
    return completed.get();
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted");
      }
      // Not onSpinWait: there may be fewer cores than threads.
      Thread.yield();
    }
  }
}
