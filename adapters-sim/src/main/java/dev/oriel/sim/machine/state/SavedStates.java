package dev.oriel.sim.machine.state;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * States by their depth in a search, and their memory. Shared parts of clocks count once, in the
 * deepest state: on one path of a search clocks only grow.
 */
public final class SavedStates {
  private final List<MachineState> saved = new ArrayList<>();

  /** Bytes that the states take. */
  private long kept;

  /** Shallower states lie on the current path; deeper ones are dead, so they share nothing. */
  private int end;

  /** Saves the state as the one of that depth. */
  public void save(int depth, MachineState state, Supplier<MachineState> made) {
    while (saved.size() <= depth) {
      MachineState fresh = made.get();
      saved.add(fresh);
      kept += fresh.footprint();
    }
    while (end > depth + 1) {
      saved.get(--end).forget();
    }
    end = depth + 1;
    MachineState old = saved.get(depth);
    kept -= old.footprint();
    old.copy(state);
    kept += old.footprint();
  }

  /** Bytes that all states would take if this one were saved at that depth too. */
  public long footprint(int depth, MachineState state) {
    return kept + Math.max(0, depth + 1 - saved.size()) * state.footprint() + state.shared();
  }

  /** Bytes that all states take. */
  public long bytes() {
    return kept;
  }

  /** How many states there are. */
  public int count() {
    return saved.size();
  }

  /** The state of that depth. */
  public MachineState at(int depth) {
    return saved.get(depth);
  }

  /** Drops all states. */
  public void clear() {
    saved.clear();
    kept = 0;
    end = 0;
  }
}
