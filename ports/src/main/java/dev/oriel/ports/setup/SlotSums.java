package dev.oriel.ports.setup;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One rank's sums of its slots at other ranks; only this rank changes them.
 *
 * <p>Signals to a peer arrive in order, so a machine may set a slot to the sum. Puts with a signal
 * complete in any order, so they must add. One slot has one kind: a sum that overtakes an addition
 * would undo it.
 */
public final class SlotSums {
  private final Map<List<Integer>, Long> sums = new HashMap<>();
  private final Set<List<Integer>> added = new HashSet<>();

  /** Throws if puts have signalled to the slot. */
  public void requireSignals(String window, int peer, int id) {
    if (added.contains(List.of(peer, id))) {
      throw mixed(window, peer, id, "putSignal", "signal");
    }
  }

  /** Throws if signals have changed the slot; marks it as one of puts. */
  public void requirePuts(String window, int peer, int id) {
    List<Integer> slot = List.of(peer, id);
    if (sums.containsKey(slot)) {
      throw mixed(window, peer, id, "signal", "putSignal");
    }
    added.add(slot);
  }

  /** The sum of all signals to the slot, this one included. */
  public long signalled(int peer, int id, long value) {
    return sums.merge(List.of(peer, id), value, Long::sum);
  }

  private static IllegalArgumentException mixed(
      String window, int peer, int id, String before, String now) {
    return new IllegalArgumentException(
        "slot of another kind: window=%s, peer=%d, id=%d, used by=%s, now=%s; use one id for each"
            .formatted(window, peer, id, before, now));
  }
}
