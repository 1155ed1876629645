package dev.oriel.ibverbs.queue;

import dev.oriel.domain.handing.ProxyRing;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.SharedQueueMemory;
import dev.oriel.ports.queue.WorkQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Queues whose requests the thread that calls for progress executes, through a carrier: those of
 * the ranks of this process.
 */
final class ProxyConnection implements QueueNetwork.Connection {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** The layout of a queue's memory: elements, then a line each for bell and completion. */
  private static final int LINE = 128;

  private final int slots;

  /** Whether some ranks are in other processes. */
  private final boolean apart;

  private final RequestCarrier.CarrierConnection carried;
  private final RankPairTable<Handing> queues = new RankPairTable<>();
  private final RankPairTable<Handing> companions = new RankPairTable<>();
  private volatile @Nullable String failure;

  private ProxyConnection(RequestCarrier.CarrierConnection carried, int slots, boolean apart) {
    this.carried = carried;
    this.slots = slots;
    this.apart = apart;
  }

  /**
   * Makes the queues of local ranks; closes the carrier's connection if that fails.
   *
   * @param local the memory of each local rank
   * @param pairs whether that local rank posts to that peer
   */
  static ProxyConnection over(
      RequestCarrier.CarrierConnection carried,
      int slots,
      SortedMap<Integer, ReachedMemory> local,
      int world,
      BiPredicate<Integer, Integer> pairs,
      InitiatorMemory posters) {
    ProxyConnection connection = new ProxyConnection(carried, slots, local.size() < world);
    try {
      connection.hand(local, world, pairs, posters);
      return connection;
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, connection::close);
    }
  }

  private void hand(
      SortedMap<Integer, ReachedMemory> local,
      int world,
      BiPredicate<Integer, Integer> pairs,
      InitiatorMemory posters) {
    int bytes = slots * ProxyQueues.ELEMENT + 2 * LINE;
    queues.make(
        world,
        pairs,
        (rank, peer) ->
            new Handing(rank, peer, posters.allocate(bytes), carried.onward(rank, peer)));
    companions.make(
        world,
        pairs,
        (rank, peer) -> {
          Handing watched = queues.get(rank, peer);
          return new Handing(
              rank,
              peer,
              posters.allocate(bytes),
              new CountingQueue(
                  () -> watched.reported,
                  () -> watched.stopped,
                  Objects.requireNonNull(local.get(rank))));
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
  public boolean settled(long round) {
    return !apart || (queues.all().stream().allMatch(Handing::idle) && carried.settled(round));
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

    /** Whether every request that was posted has completed. */
    boolean idle() {
      return !stopped && reported == (long) LONG.getAcquire(memory.bytes(), bell());
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
