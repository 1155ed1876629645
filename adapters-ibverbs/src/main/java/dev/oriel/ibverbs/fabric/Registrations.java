package dev.oriel.ibverbs.fabric;

import dev.oriel.domain.registration.Interfaces;
import dev.oriel.domain.registration.Key;
import dev.oriel.domain.registration.Lease;
import dev.oriel.domain.registration.RegistrationCache;
import dev.oriel.domain.registration.Span;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ibverbs.verbs.MemoryRegion;
import dev.oriel.ports.queue.Backing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The memory that a rank's interfaces may access; each piece is registered once with all of them.
 */
final class Registrations implements Interfaces {
  private final List<Rail> rails;
  private final Map<Integer, Map<Key, MemoryRegion>> regions = new HashMap<>();
  private final RegistrationCache cache = new RegistrationCache(this);

  /** The way in which the memory of the next lease is registered. */
  private Function<Rail, MemoryRegion> how =
      _ -> {
        throw new IllegalStateException("no memory to register");
      };

  Registrations(List<Rail> rails) {
    this.rails = rails;
  }

  /** Keys of the memory, shared between all its users. */
  Exported lease(HostMemory memory) {
    return lease(
        memory.address(), memory.bytes(), rail -> rail.register(memory.address(), memory.bytes()));
  }

  /** Keys of memory under its owner's addresses. */
  Exported lease(long address, long bytes, Backing backing) {
    try {
      return lease(address, bytes, rail -> rail.register(backing, address, bytes));
    } finally {
      if (backing instanceof Backing.Shared shared) {
        shared.close().run();
      }
    }
  }

  private Exported lease(long base, long bytes, Function<Rail, MemoryRegion> how) {
    Span span = new Span(base, bytes);
    this.how = how;
    return new Leased(span, cache.lease(span, span));
  }

  @Override
  public int count() {
    return rails.size();
  }

  @Override
  public Key register(int number, Span memory) {
    MemoryRegion region = how.apply(rails.get(number));
    Key key = new Key(region.localKey(), region.remoteKey());
    of(number).put(key, region);
    return key;
  }

  @Override
  public void deregister(int number, Key key) {
    Objects.requireNonNull(of(number).remove(key), "region").close();
  }

  private Map<Key, MemoryRegion> of(int number) {
    return regions.computeIfAbsent(number, _ -> new HashMap<>());
  }

  private final class Leased implements Exported {
    private final Span span;
    private final Lease lease;
    private boolean closed;

    Leased(Span span, Lease lease) {
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
