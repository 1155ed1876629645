package dev.oriel.sim.machine.words;

import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.state.MachineState;

/** Words that are taken as locks, and their holders. */
public final class LockHolders {
  private final MachineModel model;
  private final SyncWords words;

  public LockHolders(MachineModel model, SyncWords words) {
    this.model = model;
    this.words = words;
  }

  /** Notes that the word was taken as a lock. */
  public static void taken(MachineState s, int word) {
    s.locks[word >> 6] |= 1L << word;
  }

  /** Notes that the word is no longer a lock, if it was one. */
  void given(MachineState s, int word) {
    if (model.scan.anyLock) {
      s.locks[word >> 6] &= ~(1L << word);
    }
  }

  /**
   * Whether the word is a lock and {@code other}, its holder, belongs to another lane than the
   * agent.
   */
  boolean notItsHolder(MachineState s, int word, int other, int agent) {
    boolean lock = model.scan.anyLock && (s.locks[word >> 6] & 1L << word) != 0;
    return lock && other >= 0 && model.agents.laneOf[other] != model.agents.laneOf[agent];
  }

  /** A lock that is still held, -1 if there is none. */
  public int held(MachineState s) {
    for (int w = 0; w < s.locks.length; w++) {
      for (long left = s.locks[w]; left != 0; left &= left - 1) {
        int word = (w << 6) + Long.numberOfTrailingZeros(left);
        if (words.last(s, word) != 0) {
          return word;
        }
      }
    }
    return -1;
  }
}
