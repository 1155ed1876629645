package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.nic.ElementOrdering;
import dev.oriel.ibverbs.nic.NicLimits;
import dev.oriel.ibverbs.nic.RegionPermission;
import dev.oriel.ibverbs.nic.RegisteredRegion;
import dev.oriel.ibverbs.nic.SoftDomain;
import dev.oriel.ibverbs.nic.SoftNic;
import dev.oriel.ibverbs.nic.SoftQueuePair;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.WorkQueue;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A network of interfaces in software, one for each rank, driven by the thread that calls for
 * progress.
 */
public final class SoftNetwork implements QueueNetwork {
  /** Long enough not to limit tests, short enough for the index to wrap often. */
  public static final int USUAL_SLOTS = 128;

  private static final Set<RegionPermission> STRICT =
      EnumSet.complementOf(EnumSet.of(RegionPermission.RELAXED_ORDERING));

  private final int slots;
  private final ElementOrdering ordering;
  private final NicLimits limits;

  /**
   * A network without connections.
   *
   * @param slots of each queue, a power of two
   */
  public SoftNetwork(int slots, ElementOrdering ordering, NicLimits limits) {
    this.slots = slots;
    this.ordering = ordering;
    this.limits = limits;
  }

  /** A network with exactly the ordering that reliable connections promise. */
  public static SoftNetwork usual() {
    return new SoftNetwork(USUAL_SLOTS, ElementOrdering.RELIABLE, NicLimits.DEFAULT);
  }

  @Override
  public QueueFormat format() {
    return Mlx5Queues.format(limits.messageBytes());
  }

  @Override
  public Connection connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters) {
    Connected connected = new Connected();
    List<SoftDomain> domains = new ArrayList<>();
    List<RegisteredRegion> regions = new ArrayList<>();
    for (ReachedMemory memory : ranks) {
      SoftDomain domain = connected.nic.domain();
      domains.add(domain);
      regions.add(domain.register(memory, STRICT));
    }
    connected.ways.make(
        ranks.size(),
        pairs,
        (rank, peer) -> {
          SoftDomain domain = domains.get(rank);
          int own = regions.get(rank).key();
          SoftQueue queue = SoftQueue.make(domain, posters, slots);
          SoftQueue companion = SoftQueue.loop(domain, posters, slots);
          if (rank == peer) {
            queue.end().connect(queue.end());
          }
          connected
              .ways
              .find(/* rank= */ peer, /* peer= */ rank)
              .ifPresent(other -> queue.end().connect(other.end()));
          return new Way(
              queue.end(),
              queue.described(
                  Mlx5Queues.elements(queue.end().number(), own, regions.get(peer).key())),
              companion.described(
                  Mlx5Queues.companion(
                      companion.end().number(), own, queue.completions().number())));
        });
    return connected;
  }

  private record Way(SoftQueuePair end, WorkQueue queue, WorkQueue companion) {}

  private final class Connected implements Connection {
    private final SoftNic nic = new SoftNic(ordering, limits, this::complain);
    private final RankPairTable<Way> ways = new RankPairTable<>();

    /** Written by the thread that makes progress, read by any. */
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
    public WorkQueue companion(int rank, int peer) {
      return ways.get(rank, peer).companion();
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
