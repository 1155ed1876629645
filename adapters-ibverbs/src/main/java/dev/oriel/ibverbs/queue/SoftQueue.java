package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.ReceiveBytes;
import dev.oriel.ibverbs.mlx5.SendElement;
import dev.oriel.ibverbs.nic.QueueMemory;
import dev.oriel.ibverbs.nic.SoftCompletionQueue;
import dev.oriel.ibverbs.nic.SoftDomain;
import dev.oriel.ibverbs.nic.SoftQueuePair;
import dev.oriel.ports.queue.ElementTemplate;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.SharedQueueMemory;
import dev.oriel.ports.queue.WorkQueue;
import dev.oriel.ports.queue.WorkQueue.Shape;
import java.util.List;
import java.util.Map;

/**
 * One queue of an interface in software, in memory of posters: elements, then a line each for the
 * words that are written separately.
 *
 * @param end executes it, not connected yet
 * @param completions receives a completion of every element
 */
record SoftQueue(
    SoftQueuePair end, SoftCompletionQueue completions, SharedQueueMemory memory, int slots) {
  private static final int LINE = 128;
  private static final int RECORD = 0;
  private static final int REGISTER = LINE;
  private static final int COMPLETION = 2 * LINE;
  private static final int RECEIVES = 3 * LINE;
  private static final int LINES = 4 * LINE;

  static SoftQueue make(SoftDomain domain, InitiatorMemory posters, int slots) {
    int lines = slots * SendElement.BLOCK;
    SharedQueueMemory memory = posters.allocate(lines + LINES);
    SoftCompletionQueue completions =
        domain.collapsedQueue(memory.slice(lines + COMPLETION, CompletionElement.BYTES).bytes());
    QueueMemory queue =
        new QueueMemory(
            memory.slice(0, lines).bytes(),
            memory.slice(lines + RECEIVES, ReceiveBytes.BYTES).bytes(),
            memory.slice(lines + RECORD, DoorbellRecord.BYTES).bytes(),
            memory.slice(lines + REGISTER, Long.BYTES).bytes());
    return new SoftQueue(
        domain.queuePair(queue, completions, completions), completions, memory, slots);
  }

  /** A queue connected to itself, whose elements wait for completions of that queue. */
  static SoftQueue loop(SoftDomain domain, InitiatorMemory posters, int slots) {
    SoftQueue loop = make(domain, posters, slots);
    loop.end.connect(loop.end);
    return loop;
  }

  /** The queue as posters reach it. */
  WorkQueue described(Map<Shape, ElementTemplate> elements) {
    long lines = memory.address() + (long) slots * SendElement.BLOCK;
    return new WorkQueue(
        slots,
        memory.address(),
        elements,
        List.of(
            new WorkQueue.Place(lines + RECORD + Mlx5Queues.SENDS, Mlx5Queues.record()),
            new WorkQueue.Place(lines + REGISTER, Mlx5Queues.register(end.number()))),
        lines + COMPLETION + Mlx5Queues.TAIL);
  }
}
