package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.Endpoint;
import dev.oriel.ibverbs.fabric.Exported;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.Devices;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.Backing;
import dev.oriel.ports.queue.PosterMemory;
import dev.oriel.ports.queue.ReachedMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/** Carries requests out by posting them to RDMA devices through their library. */
public final class VerbsCarrier implements Carrier {
  /** Every port takes messages of this length. */
  private static final long MESSAGE = 1 << 20;

  private final Supplier<List<Context>> devices;
  private final VerbsSettings settings;

  /** Opens devices whenever ranks are connected, and closes them with the connection. */
  public VerbsCarrier(Supplier<List<Context>> devices, VerbsSettings settings) {
    this.devices = devices;
    this.settings = settings;
  }

  /** Those of this host that the settings name. */
  public static VerbsCarrier of(VerbsSettings settings) {
    return new VerbsCarrier(() -> Devices.load().open(settings.devices()), settings);
  }

  @Override
  public long messageBytes() {
    return MESSAGE;
  }

  @Override
  public Carried connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, PosterMemory posters) {
    Posted posted = new Posted(devices.get());
    try {
      for (ReachedMemory memory : ranks) {
        posted.open(memory, ranks.size());
      }
      for (int rank = 0; rank < ranks.size(); rank++) {
        for (int peer = 0; peer < ranks.size(); peer++) {
          if (peer != rank && pairs.test(rank, peer)) {
            posted.connect(rank, peer);
          }
        }
      }
      return posted;
    } catch (RuntimeException e) {
      posted.close();
      throw e;
    }
  }

  /**
   * One rank.
   *
   * @param shift from the address that posters name to the one that the device knows
   */
  private record Reached(Endpoint endpoint, Exported exported, long shift) {}

  private final class Posted implements Carried {
    private final List<Context> devices;
    private final List<Reached> ranks = new ArrayList<>();
    private final Map<List<Integer>, VerbsPoster> posters = new HashMap<>();

    Posted(List<Context> devices) {
      this.devices = devices;
    }

    void open(ReachedMemory memory, int world) {
      Endpoint endpoint = new Endpoint(devices, ranks.size(), world, settings);
      try {
        ranks.add(reached(endpoint, memory));
      } catch (RuntimeException e) {
        endpoint.close();
        throw e;
      }
      endpoint.requireMessages(MESSAGE);
    }

    /** Memory of the host by the host's addresses, whose place in a page may be another. */
    private static Reached reached(Endpoint endpoint, ReachedMemory memory) {
      Backing backing = memory.backing();
      if (backing instanceof Backing.Host(var bytes)) {
        HostMemory host = HostMemory.of(bytes);
        return new Reached(endpoint, endpoint.export(host), host.address() - memory.address());
      }
      return new Reached(endpoint, endpoint.export(memory.address(), memory.size(), backing), 0);
    }

    void connect(int rank, int peer) {
      Reached own = ranks.get(rank);
      Reached theirs = ranks.get(peer);
      own.endpoint().connect(peer, theirs.endpoint().offer(rank));
      var queue = own.endpoint().queue(peer, rank);
      int number = queue.number();
      posters.put(
          List.of(rank, peer),
          new VerbsPoster(
              queue,
              new VerbsPoster.Reach(own.shift(), own.exported().localKey(number)),
              new VerbsPoster.Reach(theirs.shift(), theirs.exported().remoteKeys().get(number))));
    }

    @Override
    public Onward onward(int rank, int peer) {
      VerbsPoster poster = posters.get(List.of(rank, peer));
      if (poster == null) {
        throw new MachineException(
            "no queue between them: rank=%d, peer=%d; connect the pair".formatted(rank, peer));
      }
      return poster;
    }

    @Override
    public boolean progress() {
      boolean any = false;
      for (Reached rank : ranks) {
        any |= rank.endpoint().progress();
      }
      return any;
    }

    @Override
    public Optional<String> failure() {
      return posters.values().stream()
          .map(VerbsPoster::failure)
          .flatMap(Optional::stream)
          .findFirst();
    }

    /** Queue pairs go before the memory, so that nothing that is on its way finds a key. */
    @Override
    public void close() {
      ranks.forEach(rank -> rank.endpoint().close());
      ranks.forEach(rank -> rank.exported().close());
      ranks.clear();
      devices.forEach(Context::close);
    }
  }
}
