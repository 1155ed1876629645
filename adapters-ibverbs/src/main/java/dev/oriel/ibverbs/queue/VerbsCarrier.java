package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.RankEndpoint;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.queue.ConnectedRanks.ExposedMemory;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.DeviceList;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.MemoryBacking;
import dev.oriel.ports.queue.ReachedMemory;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/** Executes requests by posting them to RDMA devices through their library. */
public final class VerbsCarrier implements RequestCarrier {
  private final Supplier<List<DeviceContext>> devices;
  private final VerbsSettings settings;

  /** Opens devices each time ranks are connected, and closes them with the connection. */
  public VerbsCarrier(Supplier<List<DeviceContext>> devices, VerbsSettings settings) {
    this.devices = devices;
    this.settings = settings;
  }

  /** A carrier over the devices of this host that the settings name. */
  public static VerbsCarrier of(VerbsSettings settings) {
    return new VerbsCarrier(() -> DeviceList.load().open(settings.devices()), settings);
  }

  @Override
  public long messageBytes() {
    return ConnectedRanks.MESSAGE;
  }

  @Override
  public CarrierConnection connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters) {
    Posted posted = new Posted(devices.get());
    try {
      ranks.forEach(memory -> posted.open(memory, ranks.size()));
      posted.connect(ranks.size(), pairs);
      return posted;
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, posted::close);
    }
  }

  private final class Posted implements CarrierConnection {
    private final ConnectedRanks ranks;
    private final RankPairTable<VerbsInitiator> posters = new RankPairTable<>();

    Posted(List<DeviceContext> devices) {
      this.ranks = new ConnectedRanks(devices);
    }

    void open(ReachedMemory memory, int world) {
      ranks.open(
          new RankEndpoint(ranks.devices(), ranks.next(), world, settings),
          endpoint -> opened(endpoint, memory));
    }

    /**
     * Exports host memory under the host's addresses; the poster's addresses may differ in their
     * offset within a page.
     */
    private static ExposedMemory opened(RankEndpoint endpoint, ReachedMemory memory) {
      MemoryBacking backing = memory.backing();
      if (backing instanceof MemoryBacking.Host(var bytes)) {
        HostMemory host = HostMemory.of(bytes);
        return new ExposedMemory(endpoint.export(host), host.address() - memory.address());
      }
      return new ExposedMemory(endpoint.export(memory.address(), memory.size(), backing), 0);
    }

    void connect(int world, BiPredicate<Integer, Integer> pairs) {
      posters.make(
          world,
          pairs,
          (rank, peer) -> new VerbsInitiator(ranks.connect(rank, peer, /* lane */ rank)));
    }

    @Override
    public OnwardQueue onward(int rank, int peer) {
      return posters.get(rank, peer);
    }

    @Override
    public boolean progress() {
      return ranks.progress();
    }

    @Override
    public Optional<String> failure() {
      return posters.all().stream()
          .map(VerbsInitiator::failure)
          .flatMap(Optional::stream)
          .findFirst();
    }

    @Override
    public void close() {
      ranks.close();
    }
  }
}
