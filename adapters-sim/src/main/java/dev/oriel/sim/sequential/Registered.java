package dev.oriel.sim.sequential;

import dev.oriel.domain.registration.Key;
import dev.oriel.domain.registration.Lease;
import dev.oriel.domain.registration.RegistrationCache;
import dev.oriel.domain.registration.Span;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A buffer of one rank that its interfaces may touch, for as long as the lease is not given back;
 * under the wire's monitor.
 */
final class Registered {
  private final Nics nics;
  private final RegistrationCache cache;
  private final Lease lease;
  private boolean given;

  Registered(Nics nics, RegistrationCache cache, Span buffer, Span allocation) {
    this.nics = nics;
    this.cache = cache;
    this.lease = cache.lease(buffer, allocation);
  }

  /** What peers are told: a key for each interface, good until the memory is deregistered. */
  Exported export() {
    List<Key> keys =
        IntStream.range(0, nics.count())
            .mapToObj(number -> cache.key(lease, lease.buffer(), number))
            .toList();
    return new Exported(nics, lease.buffer(), keys);
  }

  /** An own request names bytes of it; throws if it was given back. */
  void require(int number, long offset, long length) {
    Span part = part(lease.buffer(), offset, length);
    nics.requireOwn(number, cache.key(lease, part, number), part);
  }

  /** Ends the right; a second time does nothing. */
  void giveBack() {
    if (!given) {
      given = true;
      cache.giveBack(lease);
    }
  }

  private static Span part(Span buffer, long offset, long length) {
    return new Span(buffer.base() + offset, length);
  }

  /** What a peer knows of it. */
  record Exported(Nics nics, Span buffer, List<Key> keys) {

    /** A peer's request names bytes of it, through the interface with which it is connected. */
    void require(int number, long offset, long length) {
      int there = number % nics.count();
      nics.requirePeers(there, keys.get(there), part(buffer, offset, length));
    }
  }
}
