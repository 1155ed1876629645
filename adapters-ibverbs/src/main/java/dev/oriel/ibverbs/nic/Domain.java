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
public final class Domain {
  private final SoftNic nic;
  private final Map<Integer, Region> regions = new HashMap<>();
  private final Map<Integer, CompletionQueue> completions = new HashMap<>();

  Domain(SoftNic nic) {
    this.nic = nic;
  }

  /**
   * Registers memory under addresses from {@code address} on.
   *
   * @throws MachineException if it is not memory that others can access as well
   */
  public Region register(long address, ByteBuffer memory, Set<Access> access) {
    return register(Region.memory(address, memory, access), access);
  }

  /** Registers memory under its own addresses. */
  public Region register(ReachedMemory memory, Set<Access> access) {
    Region region = new Region(nic.nextKey(), memory, access);
    regions.values().removeIf(old -> !old.live());
    nic.requireRoom("regions", regions.size());
    regions.put(region.key(), region);
    return region;
  }

  /** A completion queue in places of 64 bytes, a power of two of them, which it clears. */
  public CompletionQueue completionQueue(ByteBuffer places, ByteBuffer record) {
    return completionQueue(places, record, false);
  }

  /** A completion queue that keeps only the latest completion, in the first place. */
  public CompletionQueue collapsedQueue(ByteBuffer place) {
    return completionQueue(place, ByteBuffer.allocateDirect(8), true);
  }

  private CompletionQueue completionQueue(ByteBuffer places, ByteBuffer record, boolean collapsed) {
    nic.requireRoom("completion queues", completions.size());
    CompletionQueue queue = new CompletionQueue(nic.nextNumber(), places, record, collapsed);
    completions.put(queue.number(), queue);
    return queue;
  }

  /**
   * A queue pair that reports to that completion queue; it executes nothing before it is connected.
   */
  public QueuePair queuePair(QueueMemory memory, CompletionQueue sends, CompletionQueue receives) {
    if (!completions.containsValue(sends) || !completions.containsValue(receives)) {
      throw new MachineException(
          "completion queue of another domain: sends=%d, receives=%d; make it here"
              .formatted(sends.number(), receives.number()));
    }
    return nic.add(new QueuePair(nic.nextNumber(), this, nic, memory, sends, receives));
  }

  Optional<CompletionQueue> completions(int number) {
    return Optional.ofNullable(completions.get(number));
  }

  /**
   * The bytes, if they are registered with this permission.
   *
   * @throws Refusal with the syndrome given
   */
  Span span(int key, long address, int bytes, Set<Access> needed, Syndrome otherwise) {
    Region region = regions.get(key);
    if (region == null || !region.live()) {
      throw new Refusal(otherwise, "no such key: key=0x%x; register the memory".formatted(key));
    }
    if (!region.covers(address, bytes)) {
      throw new Refusal(
          otherwise,
          "not the key's memory: key=0x%x, address=0x%x, bytes=%d, from=0x%x, to=0x%x; stay inside"
              .formatted(
                  key,
                  address,
                  bytes,
                  region.address(),
                  region.address() + region.memory().size()));
    }
    for (Access access : needed) {
      if (!region.allows(access)) {
        throw new Refusal(
            otherwise,
            "not registered for it: key=0x%x, needed=%s; register it so".formatted(key, access));
      }
    }
    return region.span(address, bytes);
  }
}
