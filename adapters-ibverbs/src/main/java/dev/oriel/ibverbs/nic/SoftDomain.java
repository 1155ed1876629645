package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.Syndrome;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.ReachedMemory;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A protection domain of one interface: its keys open its own regions only, and only to its own
 * queue pairs and their peers.
 */
public final class SoftDomain {
  private final SoftNic nic;
  private final Map<Integer, RegisteredRegion> regions = new HashMap<>();
  private final Map<Integer, SoftCompletionQueue> completions = new HashMap<>();

  SoftDomain(SoftNic nic) {
    this.nic = nic;
  }

  /**
   * Registers memory under addresses from {@code address} on.
   *
   * @throws MachineException if it is not memory that others can access as well
   */
  public RegisteredRegion register(long address, ByteBuffer memory, Set<RegionPermission> access) {
    return register(RegisteredRegion.memory(address, memory, access), access);
  }

  /** Registers memory under its own addresses. */
  public RegisteredRegion register(ReachedMemory memory, Set<RegionPermission> access) {
    RegisteredRegion region = new RegisteredRegion(nic.nextKey(), memory, access);
    regions.values().removeIf(old -> !old.live());
    nic.requireRoom("regions", regions.size());
    regions.put(region.key(), region);
    return region;
  }

  /** A completion queue in places of 64 bytes, a power of two of them, which it clears. */
  public SoftCompletionQueue completionQueue(ByteBuffer places, ByteBuffer record) {
    return completionQueue(places, record, false);
  }

  /** A completion queue that keeps only the latest completion, in the first place. */
  public SoftCompletionQueue collapsedQueue(ByteBuffer place) {
    return completionQueue(place, ByteBuffer.allocateDirect(8), true);
  }

  private SoftCompletionQueue completionQueue(
      ByteBuffer places, ByteBuffer record, boolean collapsed) {
    nic.requireRoom("completion queues", completions.size());
    SoftCompletionQueue queue =
        new SoftCompletionQueue(nic.nextNumber(), places, record, collapsed);
    completions.put(queue.number(), queue);
    return queue;
  }

  /**
   * A queue pair that reports to that completion queue; it executes nothing before it is connected.
   */
  public SoftQueuePair queuePair(
      QueueMemory memory, SoftCompletionQueue sends, SoftCompletionQueue receives) {
    if (!completions.containsValue(sends) || !completions.containsValue(receives)) {
      throw new MachineException(
          "completion queue of another domain: sends=%d, receives=%d; make it here"
              .formatted(sends.number(), receives.number()));
    }
    return nic.add(new SoftQueuePair(nic.nextNumber(), this, nic, memory, sends, receives));
  }

  Optional<SoftCompletionQueue> completions(int number) {
    return Optional.ofNullable(completions.get(number));
  }

  /**
   * The bytes, if they are registered with this permission.
   *
   * @throws ElementRefusal with the syndrome given
   */
  RegionSpan span(
      int key, long address, int bytes, Set<RegionPermission> needed, Syndrome otherwise) {
    RegisteredRegion region = regions.get(key);
    if (region == null || !region.live()) {
      throw new ElementRefusal(
          otherwise, "no such key: key=0x%x; register the memory".formatted(key));
    }
    if (!region.covers(address, bytes)) {
      throw new ElementRefusal(
          otherwise,
          "not the key's memory: key=0x%x, address=0x%x, bytes=%d, from=0x%x, to=0x%x; stay inside"
              .formatted(
                  key,
                  address,
                  bytes,
                  region.address(),
                  region.address() + region.memory().size()));
    }
    for (RegionPermission access : needed) {
      if (!region.allows(access)) {
        throw new ElementRefusal(
            otherwise,
            "not registered for it: key=0x%x, needed=%s; register it so".formatted(key, access));
      }
    }
    return region.span(address, bytes);
  }
}
