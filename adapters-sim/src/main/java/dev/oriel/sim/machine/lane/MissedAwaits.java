package dev.oriel.sim.machine.lane;

import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.words.SyncWords;

/**
 * Awaits that may miss every value that satisfies them. Where this is on, a lane at an await takes
 * a value, or never polls again although one satisfies it. An execution in which it never polls is
 * fair if the last value of the word does not satisfy the await either. Then the lane waits for
 * ever. All other such executions are left out, since a lane that keeps polling reads the last
 * value.
 *
 * <p>So a wait may last for ever exactly if some execution here ends with a deadlock.
 */
public final class MissedAwaits {
  /** The place of a lane that never polls again is this number minus the place of its await. */
  private static final int NEVER = -2;

  public final boolean on;
  private final MachineModel model;
  private final LaneOperands names;
  private final SyncWords words;

  public MissedAwaits(boolean on, SharedSubsystems shared, LaneOperands names) {
    this.on = on;
    this.names = names;
    model = shared.model;
    words = shared.words;
  }

  /** Whether the lane's next step is an await that it may miss. */
  boolean mayMiss(MachineState s, int lane) {
    int opcode = model.lane(lane).ops()[s.at[lane]];
    return on
        && s.failure[lane] == 0
        && (opcode == LaneOpcode.POLL_SLOT || opcode == LaneOpcode.POLL_WORD);
  }

  /** Lets the lane never poll again. */
  void miss(MachineState s, int lane) {
    s.at[lane] = NEVER - s.at[lane];
  }

  /** The finding for a lane that waits for ever. */
  public Finding finding() {
    return new Finding(Finding.Kind.DEADLOCK, "an await may miss every value that satisfies it");
  }

  /** Whether a lane never polls although the last value satisfies its await. */
  public boolean unfair(MachineState s) {
    for (int l = 0; on && l < model.lanes; l++) {
      if (s.at[l] <= NEVER && satisfied(s, l, NEVER - s.at[l])) {
        return true;
      }
    }
    return false;
  }

  private boolean satisfied(MachineState s, int lane, int at) {
    int[] ops = model.lane(lane).ops();
    if (ops[at] == LaneOpcode.POLL_WORD) {
      int word = names.word(s, lane, model.rank(lane), ops[at + 1], ops[at + 2]);
      long wanted = names.value(s, lane, ops[at + 4]);
      return OperandTable.compares(ops[at + 3], words.last(s, word), wanted);
    }
    long wanted = names.value(s, lane, ops[at + 6]);
    boolean sums = ops[at + 4] == 1;
    boolean all = true;
    long sum = 0;
    for (int slot : names.slots(s, lane, ops, at, names.value(s, lane, ops[at + 2]))) {
      sum += words.last(s, slot);
      all &= OperandTable.compares(ops[at + 5], words.last(s, slot), wanted);
    }
    return sums ? OperandTable.compares(ops[at + 5], sum, wanted) : all;
  }
}
