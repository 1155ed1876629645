package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.mlx5.CompletionBytes;
import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.QueueRing;
import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads the completions of a device's own queue in place of its library, and passes each to its
 * queue pair. Used by one thread at a time.
 */
final class CompletionReader {
  private final ByteBuffer queue;
  private final ByteBuffer record;
  private final int bytes;
  private final QueueRing ring;
  private final Map<Integer, Consumer<CompletionElement>> pairs = new HashMap<>();
  private int reporting;
  private long consumed;

  /**
   * A reader of one queue.
   *
   * @param bytes of each entry; the completion is in the last 64 of them
   * @param record in which the number of completions read is published to the device
   */
  CompletionReader(ByteBuffer queue, int bytes, ByteBuffer record) {
    this.queue = queue;
    this.record = record;
    this.bytes = bytes;
    this.ring = new QueueRing(queue.capacity() / bytes);
  }

  /**
   * Passes completions of that queue pair to that receiver from now on; it has so many elements
   * under way.
   *
   * @throws MachineException if there is not room for the completions of all pairs
   */
  void hand(int pair, int elements, Consumer<CompletionElement> to) {
    reporting += elements;
    if (reporting > ring.slots()) {
      throw new MachineException(
          "more elements than their completions have room: elements=%d, completions=%d; set a smaller depth"
              .formatted(reporting, ring.slots()));
    }
    pairs.put(pair, to);
  }

  /**
   * Reads the completions that are there; returns whether there were any.
   *
   * @throws MachineException if the device wrote bytes that are no completion
   */
  boolean progress() {
    long before = consumed;
    int at = place();
    while (CompletionBytes.valid(queue, at, ring.owner(consumed))) {
      CompletionElement completion = CompletionBytes.read(queue, at);
      consumed++;
      Consumer<CompletionElement> to = pairs.get(completion.queuePair());
      if (to != null) {
        to.accept(completion);
      }
      at = place();
    }
    if (consumed != before) {
      // The device may overwrite an entry once its reading is published: publish only after the
      // read.
      DoorbellRecord.consume(record, 0, consumed);
    }
    return consumed != before;
  }

  private int place() {
    return ring.slot(consumed) * bytes + bytes - CompletionElement.BYTES;
  }
}
