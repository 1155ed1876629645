package dev.oriel.sim.machine.launch;

import dev.oriel.sim.code.InstructionBounds;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Signals whose slots only grow. A value that satisfied an await for at least so much stays
 * satisfying. So the order in which an await of several slots reads them does not matter.
 */
public final class MonotoneSignals {
  private final MachineModel model;
  private final BitSet shrinks = new BitSet();
  private final BitSet added = new BitSet();
  private final BitSet set = new BitSet();

  /** By rank and signal: the lane that sets its slots, and whether by requests; -1 if none does. */
  private final int[] setter;

  public MonotoneSignals(MachineModel model, ExecutionSettings settings) {
    this.model = model;
    setter = MachineModel.filled(model.world * model.words.signals, -1);
    for (int l = 0; l < model.lanes; l++) {
      lane(l, model.lane(l).ops(), new LaneValues(model, l, settings));
    }
    added.and(set);
    shrinks.or(added);
  }

  /** Whether slots of the signal only grow. */
  public boolean grows(int signal) {
    return !shrinks.get(signal);
  }

  private void lane(int lane, int[] ops, LaneValues known) {
    long[][] first = new long[model.words.signals][];
    long[][] last = new long[model.words.signals][];
    int[] way = MachineModel.filled(model.words.signals, -1);
    BitSet own = new BitSet();
    boolean back = false;
    for (int at = 0; at < ops.length; at = InstructionBounds.next(ops, at)) {
      int next = InstructionBounds.next(ops, at);
      switch (ops[at]) {
        case LaneOpcode.JUMP -> back |= ops[at + 1] <= at;
        case LaneOpcode.UNLESS, LaneOpcode.UNLESS_KIND -> back |= ops[next - 1] <= at;
        case LaneOpcode.WRITE_SLOT -> {
          own.set(ops[at + 1]);
          one(lane, false, ops[at + 1], ops[at + 4]);
          change(ops[at + 1], ops[at + 4], known.of(ops[at + 5]), first, last);
        }
        case LaneOpcode.POST -> {
          int slot = slot(ops, at);
          if (slot >= 0) {
            int signal = ops[slot];
            own.set(signal);
            // Requests of two queues, and unordered ones, change slots in any order.
            int queue = model.code.operands().known(ops[at + 3], -1);
            boolean other = way[signal] >= 0 && way[signal] != queue;
            shrinks.set(signal, shrinks.get(signal) || other || queue < 0 || ops[at + 5] == 1);
            way[signal] = queue;
            one(lane, true, signal, ops[slot + 2]);
            change(signal, ops[slot + 2], known.of(ops[slot + 3]), first, last);
          }
        }
        default -> {}
      }
      known.over(at);
    }
    for (int s = own.nextSetBit(0); s >= 0; s = own.nextSetBit(s + 1)) {
      boolean falls = back;
      for (int i = 1; first[s] != null && i < first[s].length; i++) {
        falls |= first[s][i] < last[s][i - 1];
      }
      shrinks.set(s, shrinks.get(s) || falls);
    }
  }

  /** The place of the request's slot operand; -1 if it changes no slot. */
  private static int slot(int[] ops, int at) {
    return switch (ops[at + 1]) {
      case Request.SLOT -> at + 6;
      case Request.WRITE_AND_SIGNAL -> at + 11;
      default -> -1;
    };
  }

  /**
   * Only values that one lane sets in one way are compared; another setter's may come in between.
   */
  private void one(int lane, boolean posts, int signal, int change) {
    if (change == 0) {
      int at = model.rank(lane) * model.words.signals + signal;
      int by = 2 * lane + (posts ? 1 : 0);
      boolean another = setter[at] >= 0 && setter[at] != by;
      shrinks.set(signal, shrinks.get(signal) || another);
      setter[at] = by;
    }
  }

  private void change(
      int signal, int change, long @Nullable [] values, long[][] first, long[][] last) {
    boolean grows = values != null;
    for (int i = 0; values != null && grows && i < values.length; i++) {
      grows =
          values[i] >= 0 && (change != 0 || last[signal] == null || values[i] >= last[signal][i]);
    }
    shrinks.set(signal, shrinks.get(signal) || !grows);
    (change == 0 ? set : added).set(signal);
    if (change == 0 && values != null) {
      first[signal] = first[signal] == null ? values : first[signal];
      last[signal] = values;
    }
  }
}
