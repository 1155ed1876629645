package dev.oriel.ports.setup;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Assigns each slot of a window to the lane of a rank that uses it first. */
public final class SlotLanes {
  private final Map<List<Object>, Integer> lanes = new ConcurrentHashMap<>();

  /** The purpose of a slot; each purpose has its own ids. */
  public enum Use {
    /** A slot at a peer that this rank changes. */
    SIGNAL,
    /** A counter of puts to a peer. */
    COUNTER,
    /** A barrier, regardless of the peer. */
    BARRIER
  }

  /** Throws if another lane uses the slot already. */
  public void require(String window, Use use, int peer, int id, int lane) {
    Integer first = lanes.putIfAbsent(List.of(use, peer, id), lane);
    if (first != null && first != lane) {
      throw new IllegalArgumentException(
          "slot of another lane: window=%s, use=%s, peer=%d, id=%d, lane=%d, used by lane=%d; use one id for each lane"
              .formatted(window, use, peer, id, lane, first));
    }
  }
}
