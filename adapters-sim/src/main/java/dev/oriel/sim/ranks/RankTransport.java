package dev.oriel.sim.ranks;

import dev.oriel.domain.registration.AddressRange;
import dev.oriel.domain.registration.RegistrationCache;
import dev.oriel.domain.registration.RegistrationKeys;
import dev.oriel.domain.registration.RegistrationLease;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;

/**
 * The interfaces below a window of rank code, for authors of transports. Memory has to be
 * registered. Requests name it by keys, which only the interface checks, at the time at which it
 * accesses the memory. The steps of these accesses are explored. So it is found if code deregisters
 * memory that a request may still access, or uses a key that is stale or of another interface.
 *
 * <p>Order: puts and gets are those of the window, whose signals and flushes order them.
 * Registering and deregistering are writes of this rank: send a key to peers before a signal.
 */
public final class RankTransport {
  private final RankWindow window;
  private final RankTransfers transfers;
  private final RankGroup group;
  private final RegistrationCache cache;

  RankTransport(
      RankWindow window, RankTransfers transfers, RankGroup group, RegistrationCache cache) {
    this.window = window;
    this.transfers = transfers;
    this.group = group;
    this.cache = cache;
  }

  /**
   * The interfaces that reach the window's memory.
   *
   * @throws MachineException if the window is of another machine, or its arena has no room for keys
   */
  public static RankTransport of(Window window) {
    if (window instanceof RankWindow own && own.lane().memory.interfaces() > 0) {
      return own.transport();
    }
    throw new MachineException(
        "no keys in this window: name=%s; explore it in an arena with keys"
            .formatted(window.name()));
  }

  /** The index of the rank's interface that carries puts of this lane. */
  public int ofPuts() {
    return group.lane.number % group.lane.memory.interfaces();
  }

  /** The index of the rank's interface that carries gets of this lane. */
  public int ofGets() {
    return (group.lane.number + 1) % group.lane.memory.interfaces();
  }

  /**
   * A lease of bytes of the own part, which are inside that allocation of it; see the cache.
   *
   * @throws MachineException if an interface has no room, as a fault may have it; this call then
   *     leaves nothing new registered
   */
  public RegistrationLease lease(long offset, long length, long allocation, long allocated) {
    AddressRange all = new AddressRange(window.own(allocation, allocated), allocated);
    return cache.lease(new AddressRange(window.own(offset, length), length), all);
  }

  /** The key by which that interface finds the leased memory, for requests of both ends. */
  public RegistrationKeys key(RegistrationLease lease, int number) {
    return cache.key(lease, lease.buffer(), number);
  }

  /** Gives a lease back. The last lease of a registration ends it. */
  public void giveBack(RegistrationLease lease) {
    cache.giveBack(lease);
  }

  /** {@link Window#put(int, long, long, long)}, in which keys name both ends. */
  public void put(
      int peer,
      long there,
      RegistrationKeys remote,
      long here,
      long length,
      RegistrationKeys local) {
    transfers.keyed(LaneOperation.PUT, peer, there, here, length, local.local(), remote.remote());
  }

  /** {@link Window#get(int, long, long, long)}, in which keys name both ends. */
  public void get(
      int peer,
      long there,
      RegistrationKeys remote,
      long here,
      long length,
      RegistrationKeys local) {
    transfers.keyed(LaneOperation.GET, peer, there, here, length, local.local(), remote.remote());
  }
}
