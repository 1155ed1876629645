package dev.oriel.sim.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** States by their depth in a search, and how much memory they take. */
final class SavedStates {
  private final List<State> saved = new ArrayList<>();

  /** Bytes that they take. */
  private long kept;

  /** Keeps the state as the one of that depth. */
  void save(int depth, State state, Supplier<State> made) {
    while (saved.size() <= depth) {
      State fresh = made.get();
      saved.add(fresh);
      kept += fresh.footprint();
    }
    State old = saved.get(depth);
    kept -= old.footprint();
    old.copy(state);
    kept += old.footprint();
  }

  /** Bytes that all would take if this one were kept at that depth too. */
  long footprint(int depth, State state) {
    return kept + Math.max(0, depth + 1 - saved.size()) * state.footprint();
  }

  /** The one of that depth. */
  State at(int depth) {
    return saved.get(depth);
  }

  /** Forgets all of them. */
  void clear() {
    saved.clear();
    kept = 0;
  }
}
