package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.RankEndpoint;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.SendElement;
import dev.oriel.ibverbs.nic.ElementOrdering;
import dev.oriel.ibverbs.nic.NicLimits;
import dev.oriel.ibverbs.nic.RegionPermission;
import dev.oriel.ibverbs.nic.RegisteredRegion;
import dev.oriel.ibverbs.nic.SoftCompletionQueue;
import dev.oriel.ibverbs.nic.SoftDomain;
import dev.oriel.ibverbs.nic.SoftNic;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.DeviceList;
import dev.oriel.ibverbs.verbs.DirectLibrary;
import dev.oriel.ibverbs.verbs.DirectQueue;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.SharedQueueMemory;
import dev.oriel.ports.queue.WorkQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * ConnectX interfaces: posters write a device's own queue, doorbell record and register. The thread
 * that calls for progress reads the device's completions. It reports them to posters in a collapsed
 * queue of its own: the library's completion queue is a ring, in which no single place has the
 * latest. Companions wait for that queue in software, on the same thread: verbs offer no queue pair
 * that can wait for another.
 *
 * <p>Never run, for want of such a device.
 */
public final class Mlx5Network implements QueueNetwork {
  /** The accesses of companions to their own rank's memory. */
  private static final Set<RegionPermission> COUNTED =
      Collections.unmodifiableSet(
          EnumSet.of(RegionPermission.LOCAL_WRITE, RegionPermission.REMOTE_ATOMIC));

  private static final int REGISTER = Long.BYTES;

  private final Supplier<DirectLibrary> library;
  private final Supplier<List<DeviceContext>> devices;
  private final VerbsSettings settings;

  /** Opens library and devices each time ranks are connected. */
  public Mlx5Network(
      Supplier<DirectLibrary> library,
      Supplier<List<DeviceContext>> devices,
      VerbsSettings settings) {
    this.library = library;
    this.devices = devices;
    this.settings = settings;
  }

  /** A network of the devices of this host that the settings name. */
  public static Mlx5Network of(VerbsSettings settings) {
    return new Mlx5Network(
        DirectLibrary::load, () -> DeviceList.load().open(settings.devices()), settings);
  }

  @Override
  public QueueFormat format() {
    QueueFormat device = Mlx5Queues.format(ConnectedRanks.MESSAGE);
    return new QueueFormat(
        device.elementBytes(),
        device.elements(),
        List.of(device.bells().getFirst(), registered(device.bells().getLast())),
        device.completion(),
        ConnectedRanks.MESSAGE);
  }

  private static QueueFormat.DoorbellWord registered(QueueFormat.DoorbellWord bell) {
    return new QueueFormat.DoorbellWord(bell.bytes(), bell.holes(), true);
  }

  @Override
  public Connection connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters) {
    Connected connected = new Connected(library.get(), devices.get(), posters);
    try {
      ranks.forEach(memory -> connected.open(memory, ranks.size()));
      connected.connect(ranks.size(), pairs);
      return connected;
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, connected::close);
    }
  }

  private record Way(WorkQueue queue, WorkQueue companion) {}

  private final class Connected implements Connection {
    private final DirectLibrary library;
    private final ConnectedRanks ranks;
    private final InitiatorMemory posters;
    private final RankPairTable<Way> ways = new RankPairTable<>();

    /** Executes the companions of all ranks, with one domain each. */
    private final SoftNic nic =
        new SoftNic(ElementOrdering.RELIABLE, NicLimits.DEFAULT, this::complain);

    private final List<SoftDomain> domains = new ArrayList<>();
    private final List<RegisteredRegion> regions = new ArrayList<>();

    /** By the address of the device's completions. */
    private final Map<Long, CompletionReader> readers = new HashMap<>();

    private volatile @Nullable String failure;

    Connected(DirectLibrary library, List<DeviceContext> devices, InitiatorMemory posters) {
      this.library = library;
      this.ranks = new ConnectedRanks(devices);
      this.posters = posters;
    }

    void open(ReachedMemory memory, int world) {
      ranks.open(
          RankEndpoint.posted(ranks.devices(), ranks.next(), world, settings),
          endpoint -> new ConnectedRanks.ExposedMemory(endpoint.export(memory), /* shift */ 0));
      domains.add(nic.domain());
      regions.add(domains.getLast().register(memory, COUNTED));
    }

    void connect(int world, BiPredicate<Integer, Integer> pairs) {
      ways.make(world, pairs, this::connected);
    }

    private Way connected(int rank, int peer) {
      int lane = rank + peer;
      ConnectedRanks.PostingPath way = ranks.connect(rank, peer, lane);
      if (!way.atomics()) {
        // This also refuses a device that answers atomics in big-endian order: posters would
        // misread the answers.
        throw MachineException.lacking(
            "device changes no words in one step: devices=%s; use another device"
                .formatted(ranks.endpoint(rank).devices()));
      }
      DirectQueue queue = ranks.endpoint(rank).direct(library, peer, lane);
      int slots = queue.elements().bytes().capacity() / SendElement.BLOCK;
      SharedQueueMemory completionMemory = posters.allocate(CompletionElement.BYTES);
      SoftCompletionQueue completions = domains.get(rank).collapsedQueue(completionMemory.bytes());
      readers
          .computeIfAbsent(
              queue.completions().address(),
              _ ->
                  new CompletionReader(
                      queue.completions().bytes(),
                      queue.completionBytes(),
                      queue.consumed().bytes()))
          .hand(queue.number(), slots, completion -> forward(rank, peer, completion, completions));
      SoftQueue companion = SoftQueue.loop(domains.get(rank), posters, slots);
      return new Way(
          new WorkQueue(
              slots,
              posters.reach(queue.elements().address(), queue.elements().bytes().capacity()),
              Mlx5Queues.elements(queue.number(), way.own().key(), way.peers().key()),
              List.of(
                  new WorkQueue.Place(
                      posters.reach(queue.record().address(), queue.record().bytes().capacity())
                          + Mlx5Queues.SENDS,
                      Mlx5Queues.record()),
                  new WorkQueue.Place(
                      posters.reachRegister(queue.register(), REGISTER),
                      Mlx5Queues.register(queue.number()))),
              completionMemory.address() + Mlx5Queues.TAIL),
          companion.described(
              Mlx5Queues.companion(
                  companion.end().number(), regions.get(rank).key(), completions.number())));
    }

    private void forward(int rank, int peer, CompletionElement completion, SoftCompletionQueue to) {
      if (completion instanceof CompletionElement.Failed f) {
        complain(
            "request failed: rank=%d, peer=%d, side=%s, syndrome=0x%02x %s, vendor=0x%02x: %s; exchange keys anew and stay in bounds"
                .formatted(
                    rank,
                    peer,
                    f.side(),
                    f.syndrome().code(),
                    f.syndrome(),
                    f.vendor(),
                    f.syndrome().meaning()));
      }
      to.write(completion);
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
      boolean any = false;
      try {
        for (CompletionReader reader : readers.values()) {
          any |= reader.progress();
        }
        any |= nic.turn();
      } catch (MachineException e) {
        complain(String.valueOf(e.getMessage()));
      }
      return any;
    }

    private void complain(String why) {
      if (failure == null) {
        failure = why;
      }
    }

    @Override
    public Optional<String> failure() {
      return Optional.ofNullable(failure);
    }

    /** The library unmaps its queues with the queue pairs: posters must unmap them before. */
    @Override
    public void close() {
      new ClosingSequence().then(posters::forget).then(ranks::close).end();
    }
  }
}
