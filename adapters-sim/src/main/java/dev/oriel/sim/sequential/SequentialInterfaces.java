package dev.oriel.sim.sequential;

import dev.oriel.domain.registration.AddressRange;
import dev.oriel.domain.registration.NetworkInterfaces;
import dev.oriel.domain.registration.RegistrationKeys;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The network interfaces of one rank: the memory that each may access, under keys of its own. The
 * wire's monitor guards them.
 */
final class SequentialInterfaces implements NetworkInterfaces {
  /** Separates the keys of interfaces: a key of one is no key of another. */
  private static final long KEYS_APART = 1L << 32;

  private final String owner;

  /** Registered memory, by interface and by its remote key. */
  private final List<Map<Long, AddressRange>> registered;

  /** The number of transfers of each interface. */
  private final List<Long> transfers;

  private long keys;
  private long registrations;

  SequentialInterfaces(String owner, int count) {
    this.owner = owner;
    this.registered = Stream.<Map<Long, AddressRange>>generate(HashMap::new).limit(count).toList();
    this.transfers = new ArrayList<>(Collections.nCopies(count, 0L));
  }

  @Override
  public int count() {
    return registered.size();
  }

  @Override
  public RegistrationKeys register(int number, AddressRange memory) {
    long key = number * KEYS_APART + ++keys;
    registrations++;
    registered.get(number).put(key, memory);
    return new RegistrationKeys(-key, key);
  }

  @Override
  public void deregister(int number, RegistrationKeys key) {
    registered.get(number).remove(key.remote());
  }

  /** The index of the interface that carries the calls of a lane. */
  int of(int lane) {
    return lane % count();
  }

  /** Requires that a key of this rank's request permits access to {@code part}. */
  void requireOwn(int number, RegistrationKeys key, AddressRange part) {
    require(number, -key.local(), part);
  }

  /** Requires that a key of a peer's request permits access to {@code part}. */
  void requirePeers(int number, RegistrationKeys key, AddressRange part) {
    require(number, key.remote(), part);
  }

  private void require(int number, long key, AddressRange part) {
    AddressRange memory = registered.get(number).get(key);
    if (memory == null || !memory.contains(part)) {
      throw new MachineException(
          "memory not registered: owner=%s, interface=%d, key=%d, part=%s, registered=%s; register it, and exchange its keys again"
              .formatted(owner, number, key, part, memory));
    }
  }

  void transferred(int number) {
    transfers.set(number, transfers.get(number) + 1);
  }

  /** The number of transfers that each interface has made. */
  List<Long> transfers() {
    return List.copyOf(transfers);
  }

  /** The number of registrations ever made on all interfaces. */
  long registrations() {
    return registrations;
  }

  /** The number of current registrations on all interfaces. */
  int open() {
    return registered.stream().mapToInt(Map::size).sum();
  }
}
