package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.Endpoint;
import dev.oriel.ibverbs.fabric.Exported;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.Devices;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.Backing;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.SharedMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.IntFunction;
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
      List<ReachedMemory> ranks,
      BiPredicate<Integer, Integer> pairs,
      IntFunction<SharedMemory> allocate) {
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

  private static HostMemory memory(ReachedMemory memory) {
    return switch (memory.backing()) {
      case Backing.Host(var bytes) -> HostMemory.of(bytes);
      case Backing.Shared shared -> {
        shared.close().run();
        throw new MachineException(
            "memory of a device is not registered yet: address=0x%x; keep what peers reach in the host's memory"
                .formatted(memory.address()));
      }
      case Backing.Copied(var reason) -> throw MachineException.lacking(reason);
    };
  }

  /** One rank: what its requests name, and where that is. */
  private record Reached(
      Endpoint endpoint, ReachedMemory memory, HostMemory host, Exported exported) {
    /** From what posters name an address to what the device does. */
    long shift() {
      return host.address() - memory.address();
    }
  }

  private final class Posted implements Carried {
    private final List<Context> devices;
    private final List<Reached> ranks = new ArrayList<>();
    private final Map<List<Integer>, VerbsPoster> posters = new HashMap<>();

    Posted(List<Context> devices) {
      this.devices = devices;
    }

    void open(ReachedMemory memory, int world) {
      HostMemory host = memory(memory);
      Endpoint endpoint = new Endpoint(devices, ranks.size(), world, settings);
      try {
        ranks.add(new Reached(endpoint, memory, host, endpoint.export(host)));
      } catch (RuntimeException e) {
        endpoint.close();
        throw e;
      }
      if (endpoint.messageBytes() < MESSAGE) {
        throw new MachineException(
            "port carries shorter messages: devices=%s, bytes=%d, needed=%d; use another port"
                .formatted(endpoint.devices(), endpoint.messageBytes(), MESSAGE));
      }
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
