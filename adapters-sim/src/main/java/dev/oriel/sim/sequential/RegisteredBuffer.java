package dev.oriel.sim.sequential;

import dev.oriel.domain.registration.AddressRange;
import dev.oriel.domain.registration.RegistrationCache;
import dev.oriel.domain.registration.RegistrationKeys;
import dev.oriel.domain.registration.RegistrationLease;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A buffer of one rank that its interfaces may access until the lease is given back. The wire's
 * monitor guards it.
 */
final class RegisteredBuffer {
  private final SequentialInterfaces nics;
  private final RegistrationCache cache;
  private final RegistrationLease lease;
  private boolean given;

  RegisteredBuffer(
      SequentialInterfaces nics,
      RegistrationCache cache,
      AddressRange buffer,
      AddressRange allocation) {
    this.nics = nics;
    this.cache = cache;
    this.lease = cache.lease(buffer, allocation);
  }

  /** The first address of the buffer. */
  long address() {
    return lease.buffer().base();
  }

  /** The export for peers: a key for each interface, valid until the memory is deregistered. */
  Exported export() {
    List<RegistrationKeys> keys =
        IntStream.range(0, nics.count())
            .mapToObj(number -> cache.key(lease, lease.buffer(), number))
            .toList();
    return new Exported(nics, lease.buffer(), keys);
  }

  /** Checks an own request's access to these bytes; throws if the lease was given back. */
  void require(int number, long offset, long length) {
    AddressRange part = part(lease.buffer(), offset, length);
    nics.requireOwn(number, cache.key(lease, part, number), part);
  }

  /** Gives the lease back; a second call has no effect. */
  void giveBack() {
    if (!given) {
      given = true;
      cache.giveBack(lease);
    }
  }

  private static AddressRange part(AddressRange buffer, long offset, long length) {
    return new AddressRange(buffer.base() + offset, length);
  }

  /** A peer's knowledge of the buffer. */
  record Exported(SequentialInterfaces nics, AddressRange buffer, List<RegistrationKeys> keys) {

    /** Checks a peer's access to these bytes, through the interface to which it is connected. */
    void require(int number, long offset, long length) {
      int there = number % nics.count();
      nics.requirePeers(there, keys.get(there), part(buffer, offset, length));
    }
  }
}
