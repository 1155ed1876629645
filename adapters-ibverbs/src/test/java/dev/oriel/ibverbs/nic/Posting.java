package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.BigEndian;
import dev.oriel.ibverbs.mlx5.CompletionBytes;
import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.CompletionReporting;
import dev.oriel.ibverbs.mlx5.Doorbell;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.ElementFence;
import dev.oriel.ibverbs.mlx5.ElementPayload;
import dev.oriel.ibverbs.mlx5.ElementWriter;
import dev.oriel.ibverbs.mlx5.QueueRing;
import dev.oriel.ibverbs.mlx5.SendElement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Threads that post to one queue of an interface in software, each by the same steps, and the
 * interface: the real class over the real bytes. The explorer chooses which agent takes the next
 * step. Each element adds 1 to a word of its own: a lost or repeated element is thus detected.
 *
 * <p>Steps are atomic and visible to all at once. Missing fences are found by the programs that
 * {@code IndexProtocolTest} explores.
 */
final class Posting {
  private static final int BYTES = 64;
  private static final int INTERFACE = 0;

  /** Memory that outlives a world: direct buffers are slow to make. */
  static final class Memory {
    private final QueueMemory queue;
    private final QueueMemory unused = QueueMemory.allocate(1, 1);
    private final ByteBuffer place = ByteBuffer.allocateDirect(CompletionElement.BYTES);
    private final ByteBuffer old = ByteBuffer.allocateDirect(BYTES);
    private final ByteBuffer box = ByteBuffer.allocateDirect(BYTES);

    Memory(int slots) {
      queue = QueueMemory.allocate(slots, 1);
    }

    private List<ByteBuffer> all() {
      return List.of(queue.sends(), queue.record(), queue.register(), place, old, box);
    }
  }

  /** One thread. */
  private static final class Poster {
    int next;
    long count;
    long head;
    long done;
  }

  private final List<Step> steps;
  private final List<Poster> threads = new ArrayList<>();
  private final Memory memory;
  private final SoftNic nic;
  private final SoftQueuePair pair;
  private final RegisteredRegion old;
  private final RegisteredRegion box;
  private final QueueRing ring;
  private long reserved;
  private long ready;
  private long rung;
  private boolean locked;
  private Optional<String> wrong = Optional.empty();

  /**
   * A world.
   *
   * @param steps the steps of each thread
   * @param memory is cleared
   */
  Posting(int threads, List<Step> steps, ElementOrdering ordering, Memory memory) {
    this.steps = steps;
    this.memory = memory;
    memory.all().forEach(buffer -> buffer.put(0, new byte[buffer.capacity()]));
    ring = new QueueRing(memory.queue.sends().capacity() / SendElement.BLOCK);
    nic = new SoftNic(ordering, new NicLimits(4, 64, 0, 8), this::wrong);
    SoftDomain here = nic.domain();
    SoftDomain there = nic.domain();
    old = here.register(0x1000, memory.old, End.STRICT);
    box = there.register(0x2000, memory.box, End.STRICT);
    SoftCompletionQueue reports = here.collapsedQueue(memory.place);
    pair = here.queuePair(memory.queue, reports, reports);
    SoftCompletionQueue none =
        there.collapsedQueue(ByteBuffer.allocateDirect(CompletionElement.BYTES));
    pair.connect(there.queuePair(memory.unused, none, none));
    for (int i = 0; i < threads; i++) {
      this.threads.add(new Poster());
    }
  }

  private void wrong(String what) {
    if (wrong.isEmpty()) {
      wrong = Optional.of(what);
    }
  }

  /** The first error so far, if any. */
  Optional<String> wrong() {
    return wrong;
  }

  /** The agents that can take a step: 0 is the interface, the others are threads. */
  List<Integer> able() {
    List<Integer> able = new ArrayList<>();
    if (!nic.idle()) {
      able.add(INTERFACE);
    }
    for (int i = 0; i < threads.size(); i++) {
      Poster thread = threads.get(i);
      if (thread.next < steps.size() && isAble(thread)) {
        able.add(1 + i);
      }
    }
    return able;
  }

  /**
   * Takes one step.
   *
   * @param choice of the interface, if it has several
   */
  void take(int who, StepChoice choice) {
    if (who == INTERFACE) {
      boolean ignored = nic.step(choice);
    } else {
      take(threads.get(who - 1));
    }
  }

  private long done(Poster thread) {
    int index = CompletionBytes.index(memory.place, 0);
    return index < 0 ? thread.done : QueueRing.completedFrom(thread.done, index);
  }

  private boolean isAble(Poster thread) {
    return switch (steps.get(thread.next)) {
      case ROOM -> ring.hasRoom(thread.count, done(thread));
      case ROOM_AND_ONE -> ring.hasRoom(thread.count - 1, done(thread));
      case PUBLISH -> ready == thread.count;
      case LOCK -> !locked;
      case QUIET -> done(thread) > thread.count;
      case QUIET_WHEN_PUBLISHED -> ready > thread.count;
      default -> true;
    };
  }

  private void take(Poster thread) {
    thread.done = done(thread);
    Step step = steps.get(thread.next++);
    switch (step) {
      case RESERVE -> thread.count = reserved++;
      case READ_RESERVED -> thread.count = reserved;
      case WRITE_RESERVED -> reserved = thread.count + 1;
      case ROOM, ROOM_AND_ONE -> {}
      case FILL -> fill(thread.count);
      case PUBLISH -> ready = thread.count + 1;
      case PUBLISH_AT_ONCE -> ready = Math.max(ready, thread.count + 1);
      case LOCK -> locked = true;
      case TRY_LOCK -> {
        if (locked) {
          skip(thread, Step.UNLOCK);
        }
        locked = true;
      }
      case HEAD -> head(thread, ready);
      case HEAD_OF_RESERVED -> head(thread, reserved);
      case ANY_HEAD -> thread.head = ready;
      case RECORD -> DoorbellRecord.postSends(memory.queue.record(), 0, thread.head);
      case BELL -> ring(thread, pair.number());
      case BELL_OF_ANOTHER -> ring(thread, pair.number() + 1);
      case UNLOCK -> locked = false;
      case QUIET, QUIET_WHEN_PUBLISHED -> {
        if (added(thread.count) != 1) {
          wrong(
              "quiet, and the element is not done: count=%d, added=%d; wait for its completion"
                  .formatted(thread.count, added(thread.count)));
        }
      }
    }
  }

  private void fill(long count) {
    SendElement.Head head =
        new SendElement.Head(
            QueueRing.index(count),
            pair.number(),
            ElementFence.NONE,
            CompletionReporting.ALWAYS,
            false);
    int at = (int) (Long.BYTES * count) % BYTES;
    SendElement element =
        new SendElement.FetchAdd(
            head,
            new SendElement.Remote(box.address() + at, box.key()),
            1,
            new ElementPayload.Gather(Long.BYTES, old.key(), old.address() + at));
    ElementWriter.write(memory.queue.sends(), SendElement.BLOCK * ring.slot(count), element);
  }

  private void head(Poster thread, long published) {
    thread.head = published;
    if (rung >= published) {
      skip(thread, steps.contains(Step.BELL) ? Step.BELL : Step.BELL_OF_ANOTHER);
    }
  }

  private void skip(Poster thread, Step last) {
    while (steps.get(thread.next++) != last) {}
  }

  private void ring(Poster thread, int number) {
    BigEndian.putLongRelease(
        memory.queue.register(), 0, new Doorbell(QueueRing.index(thread.head), number).word());
    rung = thread.head;
  }

  private long added(long count) {
    return Long.reverseBytes(BigEndian.getLong(memory.box, (int) (Long.BYTES * count) % BYTES));
  }

  /** If no agent can take a step, everything must be done. */
  void end() {
    long asked = (long) threads.size() * steps.stream().filter(Step.FILL::equals).count();
    for (Poster thread : threads) {
      if (thread.next < steps.size()) {
        wrong(
            "nobody goes on: step=%s, count=%d, reserved=%d, published=%d, rung=%d"
                .formatted(steps.get(thread.next), thread.count, reserved, ready, rung));
      }
    }
    for (long count = 0; count < asked; count++) {
      if (added(count) != 1) {
        wrong("element not executed once: count=%d, added=%d".formatted(count, added(count)));
      }
    }
  }

  /**
   * The state on which all later steps depend. Threads are interchangeable: the state does not
   * record which of them is where.
   */
  String state() {
    StringBuilder state = new StringBuilder(256);
    threads.stream()
        .map(t -> t.next + "," + t.count + "," + t.head + "," + t.done + ";")
        .sorted()
        .forEach(state::append);
    state.append(reserved).append(' ').append(ready).append(' ').append(rung).append(locked);
    state.append(nic.state());
    for (ByteBuffer buffer : memory.all()) {
      byte[] bytes = new byte[buffer.capacity()];
      buffer.get(0, bytes);
      state.append(new String(bytes, StandardCharsets.ISO_8859_1));
    }
    return state.toString();
  }
}
