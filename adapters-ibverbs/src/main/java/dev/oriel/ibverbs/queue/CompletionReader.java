package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.mlx5.Completion;
import dev.oriel.ibverbs.mlx5.CompletionBytes;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.Ring;
import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Takes the completions of a device's own queue in the place of its library, and hands each to its
 * queue pair. One thread at a time.
 */
final class CompletionReader {
  private final ByteBuffer queue;
  private final ByteBuffer record;
  private final int bytes;
  private final Ring ring;
  private final Map<Integer, Consumer<Completion>> pairs = new HashMap<>();
  private int reporting;
  private long consumed;

  /**
   * @param bytes of each entry; the completion is in the last 64 of them
   * @param record in which the device is told how many were taken
   */
  CompletionReader(ByteBuffer queue, int bytes, ByteBuffer record) {
    this.queue = queue;
    this.record = record;
    this.bytes = bytes;
    this.ring = new Ring(queue.capacity() / bytes);
  }

  /**
   * From now on completions of that queue pair go there, which has so many elements under way.
   *
   * @throws MachineException if there is not room for those of all pairs
   */
  void hand(int pair, int elements, Consumer<Completion> to) {
    reporting += elements;
    if (reporting > ring.slots()) {
      throw new MachineException(
          "more elements than their completions have room: elements=%d, completions=%d; set a smaller depth"
              .formatted(reporting, ring.slots()));
    }
    pairs.put(pair, to);
  }

  /**
   * Takes what is there; returns whether anything was.
   *
   * @throws MachineException if the device wrote what is no completion
   */
  boolean progress() {
    long before = consumed;
    int at = place();
    while (CompletionBytes.valid(queue, at, ring.owner(consumed))) {
      Completion completion = CompletionBytes.read(queue, at);
      consumed++;
      Consumer<Completion> to = pairs.get(completion.queuePair());
      if (to != null) {
        to.accept(completion);
      }
      at = place();
    }
    if (consumed != before) {
      // The device may overwrite an entry as soon as it is told, and not before it was read.
      DoorbellRecord.consume(record, 0, consumed);
    }
    return consumed != before;
  }

  private int place() {
    return ring.slot(consumed) * bytes + bytes - Completion.BYTES;
  }
}
