package dev.oriel.sim.machine.lane;

import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.words.SyncWords;
import dev.oriel.sim.replay.ChoiceSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The choices of messages of several words whose sum satisfies an await. If a later message
 * releases at least what an earlier one released, only minimal choices count. In a minimal choice,
 * no word can have an earlier message without failing the await. The number of choices is limited;
 * {@link #cut} says whether any was left out.
 */
public final class MessageSums {
  /** The largest number of choices; an execution with more says so. */
  private static final int MAX_WAYS = 64;

  /** The largest number of combinations that are tried to find the choices. */
  private static final int MAX_TRIED = 65_536;

  private final SyncWords words;
  private boolean cut;

  public MessageSums(SyncWords words) {
    this.words = words;
  }

  /** Whether some choice of readable messages satisfies the await. */
  boolean satisfiable(MachineState s, int[] slots, int lane, int comparison, long value) {
    int[] newest = new int[slots.length];
    for (int i = 0; i < slots.length; i++) {
      newest[i] = words.count(s, slots[i]) - 1;
    }
    return satisfies(s, slots, newest, comparison, value)
        || !ways(s, slots, lane, comparison, value, false).isEmpty();
  }

  /** One of the choices, as an index of a message for each slot. */
  int[] choose(
      MachineState s,
      int[] slots,
      int lane,
      int comparison,
      long value,
      boolean uneven,
      ChoiceSource branch) {
    List<int[]> ways = ways(s, slots, lane, comparison, value, uneven);
    return ways.get(branch.choose(ways.size()));
  }

  /** Whether some choice was ever left out because of a limit. */
  public boolean cut() {
    return cut;
  }

  private List<int[]> ways(
      MachineState s, int[] slots, int lane, int comparison, long value, boolean uneven) {
    int[] oldest = new int[slots.length];
    long tried = 1;
    for (int i = 0; i < slots.length; i++) {
      oldest[i] = words.oldest(s, slots[i], lane);
      tried = Math.min(MAX_TRIED + 1L, tried * (words.count(s, slots[i]) - oldest[i]));
    }
    List<int[]> found = new ArrayList<>();
    int[] chosen = oldest.clone();
    for (long n = 0; n < Math.min(tried, MAX_TRIED) && found.size() < MAX_WAYS; n++) {
      if (satisfies(s, slots, chosen, comparison, value)
          && (uneven || minimal(s, slots, oldest, chosen, comparison, value))) {
        found.add(chosen.clone());
      }
      advance(s, slots, oldest, chosen);
    }
    if (found.isEmpty()) {
      lowest(s, slots, oldest, comparison, value, found);
    }
    cut |= tried > MAX_TRIED || found.size() == MAX_WAYS;
    return found;
  }

  /**
   * From the newest messages, takes each as early as still satisfies; one choice, if there is any.
   */
  private void lowest(
      MachineState s, int[] slots, int[] oldest, int comparison, long value, List<int[]> into) {
    int[] chosen = new int[slots.length];
    for (int i = 0; i < slots.length; i++) {
      chosen[i] = words.count(s, slots[i]) - 1;
    }
    if (!satisfies(s, slots, chosen, comparison, value)) {
      return;
    }
    for (int i = 0; i < chosen.length; i++) {
      while (chosen[i] > oldest[i]) {
        chosen[i]--;
        if (!satisfies(s, slots, chosen, comparison, value)) {
          chosen[i]++;
          break;
        }
      }
    }
    into.add(chosen);
  }

  private void advance(MachineState s, int[] slots, int[] oldest, int[] chosen) {
    for (int i = 0; i < chosen.length; i++) {
      if (++chosen[i] < words.count(s, slots[i])) {
        return;
      }
      chosen[i] = oldest[i];
    }
  }

  private boolean minimal(
      MachineState s, int[] slots, int[] oldest, int[] chosen, int comparison, long value) {
    for (int i = 0; i < chosen.length; i++) {
      if (chosen[i] > oldest[i]) {
        chosen[i]--;
        boolean still = satisfies(s, slots, chosen, comparison, value);
        chosen[i]++;
        if (still) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean satisfies(MachineState s, int[] slots, int[] chosen, int comparison, long value) {
    long sum = 0;
    for (int i = 0; i < chosen.length; i++) {
      sum += words.value(s, slots[i], chosen[i]);
    }
    return OperandTable.compares(comparison, sum, value);
  }
}
