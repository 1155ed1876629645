package dev.oriel.sim.machine;

import dev.oriel.domain.program.Space;
import dev.oriel.sim.code.Instruction;
import dev.oriel.sim.code.LaneCode;
import dev.oriel.sim.code.Opcode;
import java.util.Arrays;

/**
 * What inputs hold: the bytes of {@link Pattern}. But words of an input that lanes load, or that
 * name rows to a hook, are small, and within the bounds that the loads name: sizes and counts in
 * memory then take all kinds of values, where random words would all be too large. Where a byte
 * came from is told all the same.
 */
final class Inputs {
  /** The largest word where no bound is known; a bound counts up to {@link #MOST}. */
  private static final int SMALL = 16;

  private static final int MOST = 128;
  private static final int ANY = -1;

  /** Numbers of a region in code; see {@link Copies}. */
  private static final int PLACE = 5;

  private final int buffers;

  /** For each rank's buffer: the largest word, and the bytes of the narrowest load. */
  private final int[] most;

  private final int[] width;

  Inputs(Model model) {
    buffers = model.buffers;
    most = Model.filled(model.world * buffers, ANY);
    width = new int[most.length];
    Arrays.fill(width, Long.BYTES);
    for (int l = 0; l < model.lanes; l++) {
      LaneCode code = model.lane(l);
      int[] ops = code.ops();
      for (int at = 0; at < ops.length; at = Instruction.next(ops, at)) {
        if (ops[at] == Opcode.LOAD && model.space(ops[at + 2]) == Space.INPUT) {
          loaded(code.rank() * buffers + ops[at + 2], ops[at + 4], bound(model, ops[at + 5]));
        }
        if (ops[at] == Opcode.COPY && model.makings[ops[at + 2]] instanceof Applied hook) {
          gathered(model, code.rank() * buffers, ops, at, hook);
        }
      }
    }
  }

  /** What names elements that are gathered names some that there are. */
  private void gathered(Model model, int first, int[] ops, int at, Applied hook) {
    int place = at + 4 + PLACE * ops[at + 3] + 1;
    for (int i = 0; i < ops[place - 1]; i++) {
      int buffer = ops[place + PLACE * i];
      long rows = hook.rows(i);
      if (rows > 0 && model.space(buffer) == Space.INPUT) {
        loaded(first + buffer, Integer.BYTES, (int) Math.min(rows - 1, MOST));
      }
    }
  }

  private static int bound(Model model, int operand) {
    long max = model.code.operands().always(operand, ANY);
    return max < 0 ? SMALL : (int) Math.min(max, MOST);
  }

  private void loaded(int buffer, int bytes, int bound) {
    most[buffer] = most[buffer] == ANY ? bound : Math.min(most[buffer], bound);
    width[buffer] = Math.min(width[buffer], bytes);
  }

  /** The byte at that place: its value in the low 8 bits, above them where it came from. */
  long at(int rank, long launch, int buffer, long offset) {
    long octet = Pattern.at(rank, launch, buffer, offset);
    int b = rank * buffers + buffer;
    if (most[b] == ANY) {
      return octet;
    }
    long value = offset % width[b] == 0 ? (octet >>> Byte.SIZE) % (most[b] + 1) : 0;
    return (octet & ~0xFFL) | value;
  }
}
