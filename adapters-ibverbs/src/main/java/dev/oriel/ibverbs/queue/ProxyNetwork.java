package dev.oriel.ibverbs.queue;

import dev.oriel.domain.handing.ProxyRing;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.SharedQueueMemory;
import dev.oriel.ports.queue.WorkQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Posters hand their requests to the thread that calls for progress, which executes them. It is for
 * posters that cannot reach an interface's registers.
 */
public final class ProxyNetwork implements QueueNetwork {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** The layout of a queue's memory: elements, then a line each for bell and completion. */
  private static final int LINE = 128;

  private final RequestCarrier carrier;
  private final int slots;

  /**
   * A network without connections.
   *
   * @param slots of each queue, a power of two
   */
  public ProxyNetwork(RequestCarrier carrier, int slots) {
    this.carrier = carrier;
    this.slots = slots;
  }

  @Override
  public QueueFormat format() {
    return ProxyQueues.format(carrier.messageBytes());
  }

  @Override
  public Connection connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters) {
    Connected connected = new Connected(carrier.connect(ranks, pairs, posters));
    try {
      connected.hand(ranks, pairs, posters);
      return connected;
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, connected::close);
    }
  }

  private final class Connected implements Connection {
    private final RequestCarrier.CarrierConnection carried;
    private final RankPairTable<Handing> queues = new RankPairTable<>();
    private final RankPairTable<Handing> companions = new RankPairTable<>();
    private volatile @Nullable String failure;

    Connected(RequestCarrier.CarrierConnection carried) {
      this.carried = carried;
    }

    void hand(
        List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters) {
      int bytes = slots * ProxyQueues.ELEMENT + 2 * LINE;
      queues.make(
          ranks.size(),
          pairs,
          (rank, peer) ->
              new Handing(rank, peer, posters.allocate(bytes), carried.onward(rank, peer)));
      companions.make(
          ranks.size(),
          pairs,
          (rank, peer) -> {
            Handing watched = queues.get(rank, peer);
            return new Handing(
                rank,
                peer,
                posters.allocate(bytes),
                new CountingQueue(() -> watched.reported, () -> watched.stopped, ranks.get(rank)));
          });
    }

    @Override
    public WorkQueue queue(int rank, int peer) {
      return queues.get(rank, peer).queue();
    }

    @Override
    public WorkQueue companion(int rank, int peer) {
      return companions.get(rank, peer).queue();
    }

    @Override
    public boolean progress() {
      boolean any = false;
      try {
        any = carried.progress();
      } catch (RuntimeException e) {
        queues.all().forEach(handing -> handing.lose(e));
      }
      for (Handing handing : queues.all()) {
        any |= handing.progress();
      }
      for (Handing handing : companions.all()) {
        any |= handing.progress();
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

    /** One queue: others may write its elements at any time; none of them is trusted. */
    private final class Handing {
      private final int rank;
      private final int peer;
      private final SharedQueueMemory memory;
      private final RequestCarrier.OnwardQueue onward;
      private long taken;
      private long reported;
      private boolean stopped;

      Handing(int rank, int peer, SharedQueueMemory memory, RequestCarrier.OnwardQueue onward) {
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
        try {
          boolean any = take();
          return report() || any;
        } catch (RuntimeException e) {
          lose(e);
          return true;
        }
      }

      private boolean report() {
        long completed = onward.completed();
        if (onward.failed()) {
          stop();
        } else if (completed > reported) {
          reported = completed;
          LONG.setRelease(memory.bytes(), completion(), ProxyQueues.done(completed));
          return true;
        }
        return false;
      }

      private boolean take() {
        ByteBuffer bytes = memory.bytes();
        long posted = (long) LONG.getAcquire(bytes, bell());
        if (!ProxyRing.believable(posted, taken, reported, slots)) {
          refuse(
              "bell beyond the queue: posted=%d, taken=%d, done=%d"
                  .formatted(posted, taken, reported));
          return true;
        }
        if (!ProxyRing.waits(posted, taken) || !onward.room()) {
          return false;
        }
        int at = (int) (taken & slots - 1) * ProxyQueues.ELEMENT;
        ProxyQueues.read(bytes, at, taken)
            .ifPresentOrElse(
                this::carry, () -> refuse("no element of that count: count=%d".formatted(taken)));
        return true;
      }

      private void carry(ProxyQueues.PostedElement handed) {
        onward.post(handed.kind(), handed.fenced(), handed.fields());
        taken++;
      }

      private void refuse(String what) {
        fail("%s, rank=%d, peer=%d; fill elements as the format says".formatted(what, rank, peer));
      }

      /**
       * Fails the queue after the carrier refused a request. The caller for progress serves other
       * posters as well, and continues: the posters see the failure in their queue.
       */
      void lose(RuntimeException e) {
        fail(
            "queue stopped: rank=%d, peer=%d, taken=%d, done=%d, reason=%s"
                .formatted(rank, peer, taken, reported, e.getMessage()));
      }

      private void fail(String why) {
        if (failure == null) {
          failure = why;
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
