package dev.oriel.sim.machine.lane;

import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.machine.layout.MachineModel;

/**
 * Where a lane continues from each place of its code without any effect. It skips jumps, branches
 * that always go one way, and barriers of a single thread.
 */
final class JumpThreading {
  private final MachineModel model;

  /** For each lane, by place in its code: the next place with a possible effect. */
  private final int[][] to;

  JumpThreading(MachineModel model) {
    this.model = model;
    to = new int[model.lanes][];
    for (int l = 0; l < model.lanes; l++) {
      LaneInstructions code = model.lane(l);
      to[l] = new int[code.ops().length];
      for (int at = 0; at < to[l].length; at = code.next(at)) {
        to[l][at] = from(l, code, at);
      }
    }
  }

  /** Where the lane at that place continues. */
  int from(int lane, int at) {
    return to[lane][at];
  }

  private int from(int lane, LaneInstructions code, int start) {
    int at = start;
    // A lane that visits more places than it has is in a loop without any effect, and stays there.
    for (int steps = 0; steps < to[lane].length; steps++) {
      int next = next(lane, code, at);
      if (next == at) {
        return at;
      }
      at = next;
    }
    return at;
  }

  private int next(int lane, LaneInstructions code, int at) {
    int[] ops = code.ops();
    return switch (ops[at]) {
      case LaneOpcode.JUMP -> ops[at + 1];
      case LaneOpcode.BAR ->
          model.agents.worker[lane] == model.agents.leader[lane] ? code.next(at) : at;
      case LaneOpcode.UNLESS_KIND -> {
        long peer = model.code.operands().always(ops[at + 1], -1);
        boolean known = peer >= 0 && peer < model.world;
        yield !known
            ? at
            : model.kind(code.rank(), (int) peer) == ops[at + 2] ? code.next(at) : ops[at + 3];
      }
      default -> at;
    };
  }
}
