package dev.oriel.sim.time;

import dev.oriel.domain.binding.Program;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.SharedCode;
import dev.oriel.sim.code.SharedCode.SharedLane;
import java.util.Arrays;
import java.util.List;

/** The state of every lane of every rank, as arrays. A lane's index counts rank by rank. */
final class LaneTable {
  private static final int MOST = 1 << 28;

  /** The lane's code: its index in the form. */
  int[] code = new int[64];

  int[] rank = new int[64];
  int[] at = new int[64];

  /** Where the lane's registers start. */
  int[] base = new int[64];

  /**
   * The lane's own time. While the lane runs, it is at least the driver's time, and ahead of it by
   * the costs of the steps taken.
   */
  long[] clock = new long[64];

  /** The arrival time of the last of its stores in flight; 0 if none is. */
  long[] pending = new long[64];

  /** In a wait for several ranks, the first that has not been observed yet. */
  int[] turn = new int[64];

  /** Whether it has polled packets since its last barrier. */
  boolean[] polls = new boolean[64];

  /** Whether the packets that it polls now had not arrived when it first polled them. */
  boolean[] waited = new boolean[64];

  /** The next lane that waits for the same cell. */
  int[] next = new int[64];

  boolean[] ended = new boolean[64];
  long[] registers = new long[512];

  /** The first lane of each rank; after the last rank, the number of lanes. */
  final int[] first;

  private int used;

  /** Expands ranks one after another and stores only the differences between them. */
  LaneTable(Program program, SharedCode shared) {
    first = new int[program.world() + 1];
    List<SharedLane> lanes = shared.lanes();
    int count = 0;
    for (int r = 0; r < program.world(); r++) {
      SharedCode.RankValues values = shared.rank(r);
      for (int form = 0; form < lanes.size(); form++) {
        SharedLane lane = lanes.get(form);
        long instances = values.instances(lane);
        for (long i = 0; i < instances; i++) {
          grow(count, lane.code());
          code[count] = form;
          rank[count] = r;
          base[count] = used;
          values.give(lane, i, registers, used);
          used += lane.code().registers();
          count++;
        }
      }
      first[r + 1] = count;
    }
  }

  private void grow(int count, LaneInstructions next) {
    if (count == MOST || used > Integer.MAX_VALUE / 2) {
      throw new MachineException(
          "too many lanes for the time driver: lanes=%d, max=%d; use a smaller world"
              .formatted(count, MOST));
    }
    if (count == code.length) {
      code = Arrays.copyOf(code, 2 * count);
      rank = Arrays.copyOf(rank, 2 * count);
      at = Arrays.copyOf(at, 2 * count);
      base = Arrays.copyOf(base, 2 * count);
      clock = Arrays.copyOf(clock, 2 * count);
      pending = Arrays.copyOf(pending, 2 * count);
      turn = Arrays.copyOf(turn, 2 * count);
      polls = Arrays.copyOf(polls, 2 * count);
      waited = Arrays.copyOf(waited, 2 * count);
      this.next = Arrays.copyOf(this.next, 2 * count);
      ended = Arrays.copyOf(ended, 2 * count);
    }
    if (used + next.registers() > registers.length) {
      registers = Arrays.copyOf(registers, 2 * (used + next.registers()));
    }
  }

  int count() {
    return first[first.length - 1];
  }

  /** Starts the lane's next launch at that time. */
  void start(int lane, long time) {
    at[lane] = 0;
    clock[lane] = time;
    pending[lane] = 0;
    ended[lane] = false;
    registers[base[lane] + LaneInstructions.EPOCH]++;
  }
}
