package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.mlx5.Completion;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.Element;
import dev.oriel.ibverbs.mlx5.ReceiveBytes;
import dev.oriel.ibverbs.nic.Access;
import dev.oriel.ibverbs.nic.CompletionQueue;
import dev.oriel.ibverbs.nic.Domain;
import dev.oriel.ibverbs.nic.Limits;
import dev.oriel.ibverbs.nic.Ordering;
import dev.oriel.ibverbs.nic.QueueMemory;
import dev.oriel.ibverbs.nic.QueuePair;
import dev.oriel.ibverbs.nic.Region;
import dev.oriel.ibverbs.nic.SoftNic;
import dev.oriel.ports.queue.PosterMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.SharedMemory;
import dev.oriel.ports.queue.WorkQueue;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** One interface in software for each rank, driven by the thread that asks for progress. */
public final class SoftNetwork implements QueueNetwork {
  /** Enough that a queue is not the limit, few enough that its index wraps often. */
  public static final int USUAL_SLOTS = 128;

  private static final Set<Access> STRICT =
      EnumSet.complementOf(EnumSet.of(Access.RELAXED_ORDERING));

  /** A queue's memory, from its start: elements, then a line each for what is written apart. */
  private static final int LINE = 128;

  private static final int RECORD = 0;
  private static final int REGISTER = LINE;
  private static final int COMPLETION = 2 * LINE;
  private static final int RECEIVES = 3 * LINE;
  private static final int LINES = 4 * LINE;

  private final int slots;
  private final Ordering ordering;
  private final Limits limits;

  /**
   * @param slots of each queue, a power of two
   */
  public SoftNetwork(int slots, Ordering ordering, Limits limits) {
    this.slots = slots;
    this.ordering = ordering;
    this.limits = limits;
  }

  /** What reliable connections promise, and no more. */
  public static SoftNetwork usual() {
    return new SoftNetwork(USUAL_SLOTS, Ordering.RELIABLE, Limits.DEFAULT);
  }

  @Override
  public QueueFormat format() {
    return Mlx5Queues.format(limits.messageBytes());
  }

  @Override
  public Connection connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, PosterMemory posters) {
    Connected connected = new Connected();
    List<Domain> domains = new ArrayList<>();
    List<Region> regions = new ArrayList<>();
    for (ReachedMemory memory : ranks) {
      Domain domain = connected.nic.domain();
      domains.add(domain);
      regions.add(domain.register(memory, STRICT));
    }
    connected.ways.make(
        ranks.size(),
        pairs,
        (rank, peer) -> {
          SharedMemory memory = posters.allocate(slots * Element.BLOCK + LINES);
          QueuePair end = end(domains.get(rank), memory);
          connected
              .ways
              .find(/* rank= */ peer, /* peer= */ rank)
              .ifPresent(other -> end.connect(other.end()));
          return new Way(end, queue(end, memory, regions.get(rank), regions.get(peer)));
        });
    return connected;
  }

  private QueuePair end(Domain domain, SharedMemory memory) {
    int lines = slots * Element.BLOCK;
    CompletionQueue completions =
        domain.collapsedQueue(memory.slice(lines + COMPLETION, Completion.BYTES).bytes());
    QueueMemory queue =
        new QueueMemory(
            memory.slice(0, lines).bytes(),
            memory.slice(lines + RECEIVES, ReceiveBytes.BYTES).bytes(),
            memory.slice(lines + RECORD, DoorbellRecord.BYTES).bytes(),
            memory.slice(lines + REGISTER, Long.BYTES).bytes());
    return domain.queuePair(queue, completions, completions);
  }

  private WorkQueue queue(QueuePair pair, SharedMemory memory, Region own, Region peers) {
    long lines = memory.address() + (long) slots * Element.BLOCK;
    return new WorkQueue(
        slots,
        memory.address(),
        Mlx5Queues.elements(pair.number(), own.key(), peers.key()),
        List.of(
            new WorkQueue.Place(lines + RECORD + Mlx5Queues.SENDS, Mlx5Queues.record()),
            new WorkQueue.Place(lines + REGISTER, Mlx5Queues.register(pair.number()))),
        lines + COMPLETION + Mlx5Queues.TAIL);
  }

  private record Way(QueuePair end, WorkQueue queue) {}

  private final class Connected implements Connection {
    private final SoftNic nic = new SoftNic(ordering, limits, this::complain);
    private final Pairs<Way> ways = new Pairs<>();

    /** Read by whoever asks why, written by who makes progress. */
    private volatile @Nullable String failure;

    private void complain(String why) {
      if (failure == null) {
        failure = why;
      }
    }

    @Override
    public WorkQueue queue(int rank, int peer) {
      return ways.get(rank, peer).queue();
    }

    @Override
    public boolean progress() {
      return nic.turn();
    }

    @Override
    public Optional<String> failure() {
      return Optional.ofNullable(failure);
    }

    @Override
    public void close() {}
  }
}
