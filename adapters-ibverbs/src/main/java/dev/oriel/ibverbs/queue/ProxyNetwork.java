package dev.oriel.ibverbs.queue;

import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.PosterMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.SharedMemory;
import dev.oriel.ports.queue.WorkQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Posters hand their requests to the thread that asks for progress, and it carries them out: for
 * posters that do not reach an interface's registers.
 */
public final class ProxyNetwork implements QueueNetwork {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** A queue's memory: elements, then a line each for bell and completion. */
  private static final int LINE = 128;

  private final Carrier carrier;
  private final int slots;

  /**
   * @param slots of each queue, a power of two
   */
  public ProxyNetwork(Carrier carrier, int slots) {
    this.carrier = carrier;
    this.slots = slots;
  }

  @Override
  public QueueFormat format() {
    return ProxyQueues.format(carrier.messageBytes());
  }

  @Override
  public Connection connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, PosterMemory posters) {
    Connected connected = new Connected(carrier.connect(ranks, pairs, posters));
    try {
      for (int rank = 0; rank < ranks.size(); rank++) {
        for (int peer = 0; peer < ranks.size(); peer++) {
          if (peer != rank && pairs.test(rank, peer)) {
            connected.hand(rank, peer, posters.allocate(slots * ProxyQueues.ELEMENT + 2 * LINE));
          }
        }
      }
    } catch (RuntimeException e) {
      connected.close();
      throw e;
    }
    return connected;
  }

  private final class Connected implements Connection {
    private final Carrier.Carried carried;
    private final SortedMap<Integer, SortedMap<Integer, Handing>> queues = new TreeMap<>();
    private volatile @Nullable String failure;

    Connected(Carrier.Carried carried) {
      this.carried = carried;
    }

    void hand(int rank, int peer, SharedMemory memory) {
      queues
          .computeIfAbsent(rank, _ -> new TreeMap<>())
          .put(peer, new Handing(rank, peer, memory, carried.onward(rank, peer)));
    }

    @Override
    public WorkQueue queue(int rank, int peer) {
      Handing handing = queues.getOrDefault(rank, new TreeMap<>()).get(peer);
      if (handing == null) {
        throw new MachineException(
            "no queue between them: rank=%d, peer=%d; connect the pair".formatted(rank, peer));
      }
      return handing.queue();
    }

    @Override
    public boolean progress() {
      boolean any = carried.progress();
      for (SortedMap<Integer, Handing> ofRank : queues.values()) {
        for (Handing handing : ofRank.values()) {
          any |= handing.progress();
        }
      }
      return any;
    }

    @Override
    public Optional<String> failure() {
      return Optional.ofNullable(failure).or(carried::failure);
    }

    @Override
    public void close() {
      carried.close();
    }

    /** One queue: its elements are written by others at any time, and trusted for nothing. */
    private final class Handing {
      private final int rank;
      private final int peer;
      private final SharedMemory memory;
      private final Carrier.Onward onward;
      private long taken;
      private long told;
      private boolean stopped;

      Handing(int rank, int peer, SharedMemory memory, Carrier.Onward onward) {
        this.rank = rank;
        this.peer = peer;
        this.memory = memory;
        this.onward = onward;
      }

      WorkQueue queue() {
        return new WorkQueue(
            slots,
            memory.address(),
            ProxyQueues.elements(),
            List.of(new WorkQueue.Place(memory.address() + bell(), ProxyQueues.bell())),
            memory.address() + completion());
      }

      private int bell() {
        return slots * ProxyQueues.ELEMENT;
      }

      private int completion() {
        return bell() + LINE;
      }

      boolean progress() {
        if (stopped) {
          return false;
        }
        boolean any = take();
        long completed = onward.completed();
        if (onward.failed()) {
          stop();
        } else if (completed > told) {
          told = completed;
          LONG.setRelease(memory.bytes(), completion(), ProxyQueues.done(completed));
          any = true;
        }
        return any;
      }

      private boolean take() {
        ByteBuffer bytes = memory.bytes();
        long posted = (long) LONG.getAcquire(bytes, bell());
        if (posted - taken < 0 || posted - told > slots) {
          refuse(
              "bell beyond the queue: posted=%d, taken=%d, done=%d".formatted(posted, taken, told));
          return true;
        }
        if (taken == posted || !onward.room()) {
          return false;
        }
        int at = (int) (taken & slots - 1) * ProxyQueues.ELEMENT;
        ProxyQueues.read(bytes, at, taken)
            .ifPresentOrElse(
                this::carry, () -> refuse("no element of that count: count=%d".formatted(taken)));
        return true;
      }

      private void carry(ProxyQueues.Handed handed) {
        try {
          onward.post(handed.kind(), handed.fenced(), handed.fields());
          taken++;
        } catch (MachineException e) {
          refuse(e.getMessage() + ", count=" + taken);
        }
      }

      private void refuse(String what) {
        if (failure == null) {
          failure =
              "%s, rank=%d, peer=%d; fill elements as the format says".formatted(what, rank, peer);
        }
        stop();
      }

      private void stop() {
        stopped = true;
        LONG.setRelease(memory.bytes(), completion(), ProxyQueues.failed());
      }
    }
  }
}
