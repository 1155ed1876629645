package dev.oriel.domain.registration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Registers memory with every interface, once for all users.
 *
 * <p>The first buffer in an allocation registers the whole allocation. A later user of bytes inside
 * some registration shares that one. Each use has its own lease, so two leases of the same bytes
 * are distinct. A lease that was given back is refused by its generation even while the memory is
 * still registered for another. The registration ends with its last lease.
 *
 * <p>Invariant: an interface has exactly the registrations that some lease uses, each under one
 * key. A registration that fails on one interface is undone on those before it.
 *
 * <p>For one thread at a time.
 */
public final class RegistrationCache {

  /** Memory that every interface may touch. */
  private static final class Entry {
    final AddressRange memory;
    final List<RegistrationKeys> keys;
    int leases;

    Entry(AddressRange memory, List<RegistrationKeys> keys) {
      this.memory = memory;
      this.keys = keys;
    }
  }

  private final NetworkInterfaces interfaces;

  /** By start address; entries with the same start in the order of their creation. */
  private final TreeMap<Long, List<Entry>> entries = new TreeMap<>();

  private final Map<Long, Entry> leases = new HashMap<>();

  /** The length of the longest registration so far, which bounds a search. */
  private long longest;

  private long generations;

  public RegistrationCache(NetworkInterfaces interfaces) {
    this.interfaces = interfaces;
  }

  /**
   * A lease of {@code buffer}, which lies in {@code allocation}.
   *
   * @throws IllegalArgumentException if it does not lie there
   * @throws RuntimeException the exception of an interface; then no new registration remains
   */
  public RegistrationLease lease(AddressRange buffer, AddressRange allocation) {
    if (!allocation.contains(buffer)) {
      throw new IllegalArgumentException(
          "buffer outside of its allocation: buffer="
              + buffer
              + ", allocation="
              + allocation
              + "; give the allocation that holds all of it");
    }
    Entry entry = containing(buffer).orElseGet(() -> register(allocation));
    entry.leases++;
    RegistrationLease lease = new RegistrationLease(buffer, ++generations);
    leases.put(lease.generation(), entry);
    return lease;
  }

  /** The first registration that contains the buffer, starting with the nearest start address. */
  private Optional<Entry> containing(AddressRange buffer) {
    for (Map.Entry<Long, List<Entry>> here :
        entries.headMap(buffer.base(), true).descendingMap().entrySet()) {
      if (here.getKey() + longest < buffer.end()) {
        break;
      }
      for (Entry entry : here.getValue()) {
        if (entry.memory.contains(buffer)) {
          return Optional.of(entry);
        }
      }
    }
    return Optional.empty();
  }

  private Entry register(AddressRange memory) {
    List<RegistrationKeys> keys = new ArrayList<>();
    try {
      for (int number = 0; number < interfaces.count(); number++) {
        keys.add(interfaces.register(number, memory));
      }
    } catch (RuntimeException e) {
      takeBack(keys, e);
      throw e;
    }
    Entry entry = new Entry(memory, List.copyOf(keys));
    entries.computeIfAbsent(memory.base(), base -> new ArrayList<>()).add(entry);
    longest = Math.max(longest, memory.length());
    return entry;
  }

  private void takeBack(List<RegistrationKeys> keys, RuntimeException because) {
    for (int number = 0; number < keys.size(); number++) {
      try {
        interfaces.deregister(number, keys.get(number));
      } catch (RuntimeException e) {
        because.addSuppressed(e);
      }
    }
  }

  /**
   * The key by which that interface refers to {@code part}, which lies in the lease's buffer.
   *
   * @throws IllegalArgumentException naming the generation, if the lease was given back
   * @throws IndexOutOfBoundsException if the part leaves the buffer, or there is no such interface
   */
  public RegistrationKeys key(RegistrationLease lease, AddressRange part, int number) {
    Entry entry = live(lease);
    if (!lease.buffer().contains(part)) {
      throw new IndexOutOfBoundsException(
          "part outside of its lease: part="
              + part
              + ", buffer="
              + lease.buffer()
              + ", generation="
              + lease.generation()
              + "; stay within the buffer, or lease more");
    }
    if (number < 0 || number >= entry.keys.size()) {
      throw new IndexOutOfBoundsException(
          "no such interface: number="
              + number
              + ", interfaces="
              + entry.keys.size()
              + "; count from 0");
    }
    return entry.keys.get(number);
  }

  /** The registered memory of the lease; peers get it and an offset in it. */
  public AddressRange memory(RegistrationLease lease) {
    return live(lease).memory;
  }

  /**
   * Gives a lease back.
   *
   * @throws IllegalArgumentException naming the generation, if it was given back before
   */
  public void giveBack(RegistrationLease lease) {
    Entry entry = live(lease);
    leases.remove(lease.generation());
    if (--entry.leases > 0) {
      return;
    }
    List<Entry> here = entries.getOrDefault(entry.memory.base(), new ArrayList<>());
    here.remove(entry);
    if (here.isEmpty()) {
      entries.remove(entry.memory.base());
    }
    for (int number = 0; number < entry.keys.size(); number++) {
      interfaces.deregister(number, entry.keys.get(number));
    }
  }

  private Entry live(RegistrationLease lease) {
    Entry entry = leases.get(lease.generation());
    if (entry == null) {
      throw new IllegalArgumentException(
          "stale lease: buffer="
              + lease.buffer()
              + ", generation="
              + lease.generation()
              + ", newest="
              + generations
              + "; it was given back, lease the buffer again");
    }
    return entry;
  }

  /** Leases that were not given back. */
  public int leases() {
    return leases.size();
  }
}
