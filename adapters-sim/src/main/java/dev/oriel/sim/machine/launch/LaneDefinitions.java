package dev.oriel.sim.machine.launch;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.code.InstructionBounds;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.code.OperandTable.Linear;
import dev.oriel.sim.machine.layout.MachineModel;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The instructions that a lane may reach, and its registers that one of them alone assigns. Such a
 * register is a name for its operand, which does not outlive the block that it is in.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class LaneDefinitions {
  private static final int LT = Comparison.LT.ordinal();
  private static final int NONE = -1;

  private final OperandTable operands;
  private final LaneInstructions code;

  /** The instructions, without those that conditions of constants exclude. */
  final BitSet reached = new BitSet();

  /** For each register: the operand that it is a name for; else -1. */
  private final int[] definitions;

  LaneDefinitions(MachineModel model, int lane) {
    operands = model.code.operands();
    code = model.lane(lane);
    definitions = new int[code.registers()];
    Arrays.fill(definitions, NONE);
    reach(code.ops());
    define(code.ops());
  }

  private void reach(int[] ops) {
    BitSet open = new BitSet();
    open.set(0);
    for (int at = open.nextSetBit(0); at >= 0; at = open.nextSetBit(0)) {
      open.clear(at);
      if (at >= ops.length || reached.get(at)) {
        continue;
      }
      reached.set(at);
      int next = InstructionBounds.next(ops, at);
      switch (ops[at]) {
        case LaneOpcode.JUMP -> open.set(ops[at + 1]);
        case LaneOpcode.UNLESS -> {
          open.set(ops[next - 1]);
          open.set(never(ops, at) ? ops[next - 1] : next);
        }
        case LaneOpcode.UNLESS_KIND -> {
          open.set(ops[next - 1]);
          open.set(next);
        }
        default -> open.set(next);
      }
    }
  }

  /**
   * Whether a term of the condition never holds: nothing is below 0, and no loop of 0 turns runs.
   */
  private boolean never(int[] ops, int at) {
    boolean never = false;
    for (int i = 0; i < ops[at + 1]; i++) {
      int term = at + 2 + 3 * i;
      never |= ops[term] == LT && operands.always(ops[term + 2], 1) == 0;
    }
    return never;
  }

  /** A definition reads only registers that were assigned before it, so none reads itself. */
  private void define(int[] ops) {
    BitSet assigned = new BitSet();
    assigned.set(0, code.persistent());
    assigned.set(LaneInstructions.EPOCH);
    for (int at = reached.nextSetBit(0); at >= 0; at = reached.nextSetBit(at + 1)) {
      int register =
          switch (ops[at]) {
            case LaneOpcode.SET, LaneOpcode.LOAD, LaneOpcode.READ_SLOT, LaneOpcode.RMW ->
                ops[at + 1];
            default -> NONE;
          };
      if (register >= 0) {
        boolean once = !assigned.get(register) && ops[at] == LaneOpcode.SET;
        definitions[register] =
            once && operands.hangsOnlyOn(assigned, ops[at + 2]) ? ops[at + 2] : NONE;
        assigned.set(register);
      }
    }
  }

  /** The operand as a sum of registers; those that are names for such sums are replaced. */
  @Nullable Linear linear(int operand) {
    Linear linear = operands.linear(operand);
    if (linear == null) {
      return null;
    }
    Linear sum = new Linear(Map.of(), linear.constant());
    for (var term : linear.terms().entrySet()) {
      int defined = definitions[term.getKey()];
      Linear other = defined < 0 ? null : linear(defined);
      sum =
          sum.plus(
              other == null ? new Linear(Map.of(term.getKey(), 1L), 0) : other, term.getValue());
    }
    return sum;
  }

  /** The operand as a multiple of the epoch and a constant; null if it is none. */
  @Nullable Linear affine(int operand) {
    Linear linear = linear(operand);
    return linear != null
            && linear.terms().keySet().stream().allMatch(r -> r == LaneInstructions.EPOCH)
        ? linear
        : null;
  }

  /** The operand's values in the first launches; null if the epoch alone does not determine it. */
  long @Nullable [] values(int operand, int launches) {
    long[] registers = new long[code.registers()];
    long[] values = new long[launches];
    try {
      for (int i = 0; i < launches; i++) {
        registers[LaneInstructions.EPOCH] = i + 1L;
        if (!computes(operand, registers)) {
          return null;
        }
        values[i] = operands.value(operand, registers, 0);
      }
    } catch (ProgramException e) {
      // A division by zero, which need not be executed.
      return null;
    }
    return values;
  }

  /** Computes the registers that the operand reads, if the epoch alone determines them. */
  private boolean computes(int operand, long[] registers) {
    BitSet read = new BitSet();
    operands.registers(operand, read);
    boolean all = true;
    for (int r = read.nextSetBit(0); all && r >= 0; r = read.nextSetBit(r + 1)) {
      int by = definitions[r];
      if (r != LaneInstructions.EPOCH) {
        all = by >= 0 && computes(by, registers);
        registers[r] = all ? operands.value(by, registers, 0) : 0;
      }
    }
    return all;
  }
}
