package dev.oriel.sim.ranks;

import dev.oriel.domain.registration.Key;
import dev.oriel.domain.registration.Lease;
import dev.oriel.domain.registration.RegistrationCache;
import dev.oriel.domain.registration.Span;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;

/**
 * The interfaces below a window of rank code, for those who write transports: memory has to be
 * registered, and requests name it by keys that nobody but the interface looks at, when it touches
 * the memory. What goes on while it does so is explored: whoever deregisters what a request may
 * still touch, or names it by a key that is stale or another interface's, is found.
 *
 * <p>Order: puts and gets are those of the window, whose signals and flushes order them.
 * Registering and deregistering are writes of this rank: peers are told of a key behind a signal.
 */
public final class Transport {
  private final RankWindow window;
  private final RankTransfers transfers;
  private final RankGroup group;
  private final RegistrationCache cache;

  Transport(RankWindow window, RankTransfers transfers, RankGroup group, RegistrationCache cache) {
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
  public static Transport of(Window window) {
    if (window instanceof RankWindow own && own.lane().memory.interfaces() > 0) {
      return own.transport();
    }
    throw new MachineException(
        "no keys in this window: name=%s; explore it in an arena with keys"
            .formatted(window.name()));
  }

  /** Through which of the rank's interfaces puts of this lane go. */
  public int ofPuts() {
    return group.lane.number % group.lane.memory.interfaces();
  }

  /** Through which of the rank's interfaces gets of this lane go. */
  public int ofGets() {
    return (group.lane.number + 1) % group.lane.memory.interfaces();
  }

  /**
   * A lease of bytes of the own part, which lie in that allocation of it; see the cache.
   *
   * @throws MachineException if an interface has no room, as a fault may have it; nothing is then
   *     registered that was not
   */
  public Lease lease(long offset, long length, long allocation, long allocated) {
    Span all = new Span(window.own(allocation, allocated), allocated);
    return cache.lease(new Span(window.own(offset, length), length), all);
  }

  /** The key by which that interface finds the leased memory, for requests of both ends. */
  public Key key(Lease lease, int number) {
    return cache.key(lease, lease.buffer(), number);
  }

  /** Gives a lease back; with the last one of a registration, that goes. */
  public void giveBack(Lease lease) {
    cache.giveBack(lease);
  }

  /** {@link Window#put(int, long, long, long)}, in which both ends are named by keys. */
  public void put(int peer, long there, Key remote, long here, long length, Key local) {
    transfers.keyed(Operation.PUT, peer, there, here, length, local.local(), remote.remote());
  }

  /** {@link Window#get(int, long, long, long)}, in which both ends are named by keys. */
  public void get(int peer, long there, Key remote, long here, long length, Key local) {
    transfers.keyed(Operation.GET, peer, there, here, length, local.local(), remote.remote());
  }
}
