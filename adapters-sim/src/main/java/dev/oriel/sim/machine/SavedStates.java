package dev.oriel.sim.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * States by their depth in a search, and how much memory they take. What clocks share is counted
 * once, in the deepest of them: along one way of a search clocks only grow.
 */
final class SavedStates {
  private final List<State> saved = new ArrayList<>();

  /** Bytes that they take. */
  private long kept;

  /** Those before it are of one way; behind it nobody goes back to any, so they share nothing. */
  private int end;

  /** Keeps the state as the one of that depth. */
  void save(int depth, State state, Supplier<State> made) {
    while (saved.size() <= depth) {
      State fresh = made.get();
      saved.add(fresh);
      kept += fresh.footprint();
    }
    while (end > depth + 1) {
      saved.get(--end).forget();
    }
    end = depth + 1;
    State old = saved.get(depth);
    kept -= old.footprint();
    old.copy(state);
    kept += old.footprint();
  }

  /** Bytes that all would take if this one were kept at that depth too. */
  long footprint(int depth, State state) {
    return kept + Math.max(0, depth + 1 - saved.size()) * state.footprint() + state.shared();
  }

  /** The one of that depth. */
  State at(int depth) {
    return saved.get(depth);
  }

  /** Forgets all of them. */
  void clear() {
    saved.clear();
    kept = 0;
    end = 0;
  }
}
