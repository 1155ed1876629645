package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.oriel.ibverbs.mlx5.CompletionBytes;
import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.ElementFence;
import dev.oriel.ibverbs.mlx5.ElementOpcode;
import dev.oriel.ibverbs.mlx5.ElementPayload;
import dev.oriel.ibverbs.mlx5.ElementReader;
import dev.oriel.ibverbs.mlx5.QueueRing;
import dev.oriel.ibverbs.mlx5.SendElement;
import dev.oriel.ibverbs.mlx5.Syndrome;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * The device of libmlx5, as far as its queues are in memory. It finds elements by the doorbell
 * records, lets the engine execute them, and writes completions into their ring.
 */
@SuppressWarnings("restricted")
final class FakeDirect {
  private static final int BLOCK = 64;

  private final Arena arena;
  private final FakeEngine engine;
  private final Map<Long, Completions> completions = new HashMap<>();
  private final Map<Long, Queue> queues = new HashMap<>();

  /** The length of the next queues. */
  int slots = 8;

  /** The length of the next completion queues. */
  int entries = 64;

  /** The block size that the next queues report. */
  int stride = BLOCK;

  FakeDirect(Arena arena, FakeEngine engine) {
    this.arena = arena;
    this.engine = engine;
  }

  private final class Completions {
    final MemorySegment memory = arena.allocate((long) entries * BLOCK, BLOCK);
    final MemorySegment record = arena.allocate(8, 8);
    final ByteBuffer bytes = buffer(memory);
    final QueueRing ring = new QueueRing(entries);
    long written;

    Completions() {
      CompletionBytes.clear(bytes);
    }

    void write(CompletionElement completion) {
      if (written
              - QueueRing.consumedFrom(
                  written - ring.slots(), DoorbellRecord.consumed(buffer(record), 0))
          >= ring.slots()) {
        throw new AssertionError("completions overrun: written=" + written);
      }
      CompletionBytes.write(bytes, ring.slot(written) * BLOCK, completion, ring.owner(written));
      written++;
    }
  }

  private final class Queue {
    final int number;
    final Completions completed;
    final QueueRing ring = new QueueRing(slots);
    final MemorySegment memory = arena.allocate((long) ring.slots() * BLOCK, BLOCK);
    final MemorySegment record = arena.allocate(8, 8);
    final MemorySegment register = arena.allocate(8, 8);
    long taken;
    boolean failed;

    Queue(int number, Completions completed) {
      this.number = number;
      this.completed = completed;
    }

    boolean pump(long pair) {
      long posted = QueueRing.countFrom(taken, DoorbellRecord.sends(buffer(record), 0));
      boolean any = taken != posted && !failed;
      while (taken != posted && !failed) {
        int at = ring.slot(taken) * BLOCK;
        int index = QueueRing.index(taken);
        int status = engine.perform(pair, () -> request(buffer(memory), at, index));
        failed = status != 0;
        completed.write(
            failed
                ? new CompletionElement.Failed(
                    CompletionElement.Side.REQUESTER, Syndrome.REMOTE_ACCESS, 0, 0, number, index)
                : new CompletionElement.Done(ElementOpcode.WRITE, number, index, 0));
        taken++;
      }
      return any;
    }
  }

  private static ByteBuffer buffer(MemorySegment memory) {
    return memory.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  int init(MemorySegment object) {
    MemorySegment o = object.reinterpret(DirectLayouts.OBJ.byteSize());
    long pair = o.get(ADDRESS, ControlPathLayouts.at(DirectLayouts.OBJ, "qp", "in")).address();
    long cq = o.get(ADDRESS, ControlPathLayouts.at(DirectLayouts.OBJ, "cq", "in")).address();
    Completions completed = completions.computeIfAbsent(cq, _ -> new Completions());
    Queue queue = queues.computeIfAbsent(pair, _ -> new Queue(engine.number(pair), completed));
    MemorySegment qp =
        o.get(ADDRESS, ControlPathLayouts.at(DirectLayouts.OBJ, "qp", "out"))
            .reinterpret(DirectLayouts.QP.byteSize());
    qp.set(ADDRESS, ControlPathLayouts.at(DirectLayouts.QP, "dbrec"), queue.record);
    qp.set(ADDRESS, ControlPathLayouts.at(DirectLayouts.QP, "sq", "buf"), queue.memory);
    qp.set(JAVA_INT, ControlPathLayouts.at(DirectLayouts.QP, "sq", "wqe_cnt"), queue.ring.slots());
    qp.set(JAVA_INT, ControlPathLayouts.at(DirectLayouts.QP, "sq", "stride"), stride);
    qp.set(ADDRESS, ControlPathLayouts.at(DirectLayouts.QP, "bf", "reg"), queue.register);
    MemorySegment c =
        o.get(ADDRESS, ControlPathLayouts.at(DirectLayouts.OBJ, "cq", "out"))
            .reinterpret(DirectLayouts.CQ.byteSize());
    c.set(ADDRESS, ControlPathLayouts.at(DirectLayouts.CQ, "buf"), completed.memory);
    c.set(ADDRESS, ControlPathLayouts.at(DirectLayouts.CQ, "dbrec"), completed.record);
    c.set(JAVA_INT, ControlPathLayouts.at(DirectLayouts.CQ, "cqe_cnt"), completed.ring.slots());
    c.set(JAVA_INT, ControlPathLayouts.at(DirectLayouts.CQ, "cqe_size"), BLOCK);
    return 0;
  }

  void remove(long pair) {
    queues.remove(pair);
  }

  /** Executes posted elements; returns whether there were any. */
  boolean pump() {
    boolean any = false;
    for (Map.Entry<Long, Queue> queue : queues.entrySet()) {
      any |= queue.getValue().pump(queue.getKey());
    }
    return any;
  }

  private static WorkRequest request(ByteBuffer from, int at, int index) {
    SendElement element = ElementReader.read(from, at);
    if (element.head().index() != index) {
      throw new MachineException("element of another count: index=" + element.head().index());
    }
    boolean fenced = element.head().fence() != ElementFence.NONE;
    return switch (element) {
      case SendElement.Write(var _, var remote, ElementPayload.Inline word) ->
          new WorkRequest.WriteWord(
              index,
              true,
              fenced,
              ByteBuffer.wrap(word.data()).order(ByteOrder.nativeOrder()).getLong(),
              remote(remote));
      case SendElement.Write(var _, var remote, ElementPayload.Gather g) ->
          new WorkRequest.Write(index, true, fenced, local(g), remote(remote));
      case SendElement.Read(var _, var remote, ElementPayload.Gather g) ->
          new WorkRequest.Read(index, true, fenced, local(g), remote(remote));
      case SendElement.FetchAdd(var _, var remote, long addend, var old) ->
          new WorkRequest.FetchAdd(index, true, fenced, addend, local(old), remote(remote));
      case SendElement.CompareSwap(var _, var remote, long compare, long swap, var old) ->
          new WorkRequest.CompareSwap(
              index, true, fenced, compare, swap, local(old), remote(remote));
      default -> throw new MachineException("no element of ours: " + element);
    };
  }

  private static WorkRequest.Remote remote(SendElement.Remote remote) {
    return new WorkRequest.Remote(remote.address(), remote.key());
  }

  private static WorkRequest.Local local(ElementPayload.Gather g) {
    return new WorkRequest.Local(g.address(), g.bytes(), g.key());
  }
}
