package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.Endpoint;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.queue.ConnectedRanks.Opened;
import dev.oriel.ibverbs.verbs.Closing;
import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.Devices;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.queue.Backing;
import dev.oriel.ports.queue.PosterMemory;
import dev.oriel.ports.queue.ReachedMemory;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/** Executes requests by posting them to RDMA devices through their library. */
public final class VerbsCarrier implements Carrier {
  private final Supplier<List<Context>> devices;
  private final VerbsSettings settings;

  /** Opens devices each time ranks are connected, and closes them with the connection. */
  public VerbsCarrier(Supplier<List<Context>> devices, VerbsSettings settings) {
    this.devices = devices;
    this.settings = settings;
  }

  /** A carrier over the devices of this host that the settings name. */
  public static VerbsCarrier of(VerbsSettings settings) {
    return new VerbsCarrier(() -> Devices.load().open(settings.devices()), settings);
  }

  @Override
  public long messageBytes() {
    return ConnectedRanks.MESSAGE;
  }

  @Override
  public Carried connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, PosterMemory posters) {
    Posted posted = new Posted(devices.get());
    try {
      ranks.forEach(memory -> posted.open(memory, ranks.size()));
      posted.connect(ranks.size(), pairs);
      return posted;
    } catch (RuntimeException e) {
      throw Closing.behind(e, posted::close);
    }
  }

  private final class Posted implements Carried {
    private final ConnectedRanks ranks;
    private final Pairs<VerbsPoster> posters = new Pairs<>();

    Posted(List<Context> devices) {
      this.ranks = new ConnectedRanks(devices);
    }

    void open(ReachedMemory memory, int world) {
      ranks.open(
          new Endpoint(ranks.devices(), ranks.next(), world, settings),
          endpoint -> opened(endpoint, memory));
    }

    /**
     * Exports host memory under the host's addresses; the poster's addresses may differ in their
     * offset within a page.
     */
    private static Opened opened(Endpoint endpoint, ReachedMemory memory) {
      Backing backing = memory.backing();
      if (backing instanceof Backing.Host(var bytes)) {
        HostMemory host = HostMemory.of(bytes);
        return new Opened(endpoint.export(host), host.address() - memory.address());
      }
      return new Opened(endpoint.export(memory.address(), memory.size(), backing), 0);
    }

    void connect(int world, BiPredicate<Integer, Integer> pairs) {
      posters.make(
          world,
          pairs,
          (rank, peer) -> new VerbsPoster(ranks.connect(rank, peer, /* lane */ rank)));
    }

    @Override
    public Onward onward(int rank, int peer) {
      return posters.get(rank, peer);
    }

    @Override
    public boolean progress() {
      return ranks.progress();
    }

    @Override
    public Optional<String> failure() {
      return posters.all().stream().map(VerbsPoster::failure).flatMap(Optional::stream).findFirst();
    }

    @Override
    public void close() {
      ranks.close();
    }
  }
}
