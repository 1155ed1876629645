package dev.oriel.sim.ranks;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.MachineException;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Allocator of one rank's arena. Bytes are taken from the first gap that is large enough. */
final class ArenaAllocator {
  private final RankArena arena;
  private final int rank;

  /** The end of each allocation, by its beginning. */
  private final TreeMap<Long, Long> taken = new TreeMap<>();

  /** All bytes below this were allocated at some time, so they may hold old data. */
  private long used;

  private long retired;
  private final BitSet registered = new BitSet();
  private final Map<Integer, Long> generations = new TreeMap<>();
  private int signals;
  private int counters;
  private int barriers;

  ArenaAllocator(RankArena arena, int rank) {
    this.arena = arena;
    this.rank = rank;
  }

  /** The number of the arena's counters for each peer. */
  int counters() {
    return arena.counters();
  }

  /** The number of interfaces with which memory is registered; 0 without registrations. */
  int interfaces() {
    return arena.keys() > 0 ? arena.interfaces() : 0;
  }

  void requirePutSignals() {
    if (!arena.putSignals()) {
      throw MachineException.lacking(
          "puts do not signal in this arena: rank=%d; say withPutSignals".formatted(rank));
    }
  }

  /** Takes a free place for a registration, and counts how often that place was taken. */
  Slot takeKey() {
    for (int slot = 0; slot < arena.keys(); slot++) {
      if (!registered.get(slot)) {
        registered.set(slot);
        return new Slot(slot, generations.merge(slot, 1L, Long::sum));
      }
    }
    throw MachineException.lacking(
        "no place for another registration: rank=%d, keys=%d; deregister some, or give the arena more keys"
            .formatted(rank, arena.keys()));
  }

  void freeKey(int slot) {
    registered.clear(slot);
  }

  /** Registrations that are held and may still be given back. */
  int registrations() {
    return registered.cardinality();
  }

  /** The place of a registration, and how many times that place has been taken so far. */
  record Slot(int number, long generation) {}

  void requirePackets(PacketFormat format) {
    if (!arena.packets().equals(Optional.of(format))) {
      throw MachineException.lacking(
          "no such packets in this arena: rank=%d, format=%s, arena=%s; say withPackets"
              .formatted(rank, format, arena.packets().map(Enum::name).orElse("none")));
    }
  }

  /** Allocates that many bytes and returns where they begin. */
  long take(long bytes) {
    long length = arena.aligned(bytes);
    long at = 0;
    for (Map.Entry<Long, Long> entry : taken.entrySet()) {
      if (length <= entry.getKey() - at) {
        break;
      }
      at = entry.getValue();
    }
    if (bytes < 0 || length > arena.bytes() - at) {
      throw MachineException.lacking(
          "not enough memory: rank=%d, bytes=%d, arena=%d, taken=%s; ask for less, or give the arena more"
              .formatted(rank, bytes, arena.bytes(), taken));
    }
    if (length > 0) {
      taken.put(at, at + length);
    }
    return at;
  }

  /** Whether those bytes were allocated before. They count as allocated from now on. */
  boolean secondHand(long at, long bytes) {
    boolean before = at < used && bytes > 0;
    used = Math.max(used, at + arena.aligned(bytes));
    return before;
  }

  void free(long at, long bytes) {
    if (bytes > 0) {
      taken.remove(at);
    }
  }

  /** Withdraws bytes for good, because peers may still write to them. */
  void retire(long bytes) {
    retired += arena.aligned(bytes);
  }

  /** Bytes that are allocated and may still be given back. */
  long allocated() {
    long all = 0;
    for (Map.Entry<Long, Long> entry : taken.entrySet()) {
      all += entry.getValue() - entry.getKey();
    }
    return all - retired;
  }

  /** Refuses a window for which too few ids are left. */
  void requireIds(WindowSpec spec) {
    if (spec.signals() > arena.signals() - signals
        || spec.counters() > arena.counters() - counters
        || spec.barriers() > arena.barriers() - barriers) {
      throw MachineException.lacking(
          "not enough slots: window=%s, signals=%d of %d, counters=%d of %d, barriers=%d of %d; give the arena more"
              .formatted(
                  spec.name(),
                  spec.signals(),
                  arena.signals() - signals,
                  spec.counters(),
                  arena.counters() - counters,
                  spec.barriers(),
                  arena.barriers() - barriers));
    }
  }

  /** Takes the ids of a window and returns the first of each kind. */
  Ids takeIds(WindowSpec spec) {
    Ids ids = new Ids(signals, counters, barriers);
    signals += spec.signals();
    counters += spec.counters();
    barriers += spec.barriers();
    return ids;
  }

  /** Where a window's ids begin among those of the arena. */
  record Ids(int signal, int counter, int barrier) {}
}
