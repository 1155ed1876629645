package dev.oriel.ports.setup;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which lane of a rank uses which slot of a window: the one that did first. */
public final class SlotLanes {
  private final Map<List<Object>, Integer> lanes = new ConcurrentHashMap<>();

  /** What the slot is for; those of one use are numbered for themselves. */
  public enum Use {
    /** A slot at a peer that this rank changes. */
    SIGNAL,
    /** A counter of puts to a peer. */
    COUNTER,
    /** A barrier, of whichever peer. */
    BARRIER
  }

  /** Refuses the slot to any lane but one. */
  public void require(String window, Use use, int peer, int id, int lane) {
    Integer first = lanes.putIfAbsent(List.of(use, peer, id), lane);
    if (first != null && first != lane) {
      throw new IllegalArgumentException(
          "slot of another lane: window=%s, use=%s, peer=%d, id=%d, lane=%d, used by lane=%d; use one id for each lane"
              .formatted(window, use, peer, id, lane, first));
    }
  }
}
