package dev.oriel.ibverbs.fabric;

import dev.oriel.domain.registration.AddressRange;
import dev.oriel.domain.registration.NetworkInterfaces;
import dev.oriel.domain.registration.RegistrationCache;
import dev.oriel.domain.registration.RegistrationKeys;
import dev.oriel.domain.registration.RegistrationLease;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ibverbs.verbs.MemoryRegion;
import dev.oriel.ports.queue.MemoryBacking;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The memory that a rank's interfaces may access; each piece is registered once with all of them.
 */
final class RailRegistrations implements NetworkInterfaces {
  private final List<Rail> rails;
  private final Map<Integer, Map<RegistrationKeys, MemoryRegion>> regions = new HashMap<>();
  private final RegistrationCache cache = new RegistrationCache(this);

  /** The way in which the memory of the next lease is registered. */
  private Function<Rail, MemoryRegion> how =
      _ -> {
        throw new IllegalStateException("no memory to register");
      };

  RailRegistrations(List<Rail> rails) {
    this.rails = rails;
  }

  /** Keys of the memory, shared between all its users. */
  ExportedMemory lease(HostMemory memory) {
    return lease(
        memory.address(), memory.bytes(), rail -> rail.register(memory.address(), memory.bytes()));
  }

  /** Keys of memory under its owner's addresses. */
  ExportedMemory lease(long address, long bytes, MemoryBacking backing) {
    try {
      return lease(address, bytes, rail -> rail.register(backing, address, bytes));
    } finally {
      if (backing instanceof MemoryBacking.Shared shared) {
        shared.close().run();
      }
    }
  }

  private ExportedMemory lease(long base, long bytes, Function<Rail, MemoryRegion> how) {
    AddressRange span = new AddressRange(base, bytes);
    this.how = how;
    return new Leased(span, cache.lease(span, span));
  }

  @Override
  public int count() {
    return rails.size();
  }

  @Override
  public RegistrationKeys register(int number, AddressRange memory) {
    MemoryRegion region = how.apply(rails.get(number));
    RegistrationKeys key = new RegistrationKeys(region.localKey(), region.remoteKey());
    of(number).put(key, region);
    return key;
  }

  @Override
  public void deregister(int number, RegistrationKeys key) {
    Objects.requireNonNull(of(number).remove(key), "region").close();
  }

  private Map<RegistrationKeys, MemoryRegion> of(int number) {
    return regions.computeIfAbsent(number, _ -> new HashMap<>());
  }

  private final class Leased implements ExportedMemory {
    private final AddressRange span;
    private final RegistrationLease lease;
    private boolean closed;

    Leased(AddressRange span, RegistrationLease lease) {
      this.span = span;
      this.lease = lease;
    }

    @Override
    public int localKey(int number) {
      return (int) cache.key(lease, span, number).local();
    }

    @Override
    public List<Integer> remoteKeys() {
      return IntStream.range(0, count())
          .mapToObj(number -> (int) cache.key(lease, span, number).remote())
          .toList();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        cache.giveBack(lease);
      }
    }
  }
}
