package dev.oriel.sim.machine.launch;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.code.InstructionBounds;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values of a lane's operands in each launch, if the epoch alone determines them. The user visits
 * the lane's code from begin to end. A register's earlier assignment is known unless a jump skips
 * it, or leads back.
 */
public final class LaneValues {
  private final OperandTable operands;
  private final int[] ops;
  private final int[] writes;
  private final boolean back;

  /** For each launch: registers, of which some are known. */
  private final long[][] registers;

  private final BitSet known = new BitSet();

  /** Registers in operands that the epoch alone does not determine. */
  public final BitSet live = new BitSet();

  private final Map<Integer, long[]> values = new HashMap<>();

  public LaneValues(MachineModel model, int lane, ExecutionSettings settings) {
    LaneInstructions code = model.lane(lane);
    operands = model.code.operands();
    ops = code.ops();
    registers = new long[settings.launches()][code.registers()];
    writes = new int[code.registers()];
    boolean any = false;
    for (int at = 0; at < ops.length; at = InstructionBounds.next(ops, at)) {
      int written = written(at);
      if (written >= 0) {
        writes[written]++;
      }
      int target = target(at);
      any |= target >= 0 && target <= at;
    }
    back = any;
    known.set(LaneInstructions.EPOCH);
    for (int i = 0; i < registers.length; i++) {
      registers[i][LaneInstructions.EPOCH] = settings.past() + 1 + i;
    }
  }

  /** The number of launches. */
  public int count() {
    return registers.length;
  }

  /** The register that the instruction assigns; -1 if it assigns none. */
  private int written(int at) {
    return switch (ops[at]) {
      case LaneOpcode.SET, LaneOpcode.LOAD, LaneOpcode.READ_SLOT, LaneOpcode.RMW -> ops[at + 1];
      default -> -1;
    };
  }

  private int target(int at) {
    return switch (ops[at]) {
      case LaneOpcode.JUMP, LaneOpcode.UNLESS, LaneOpcode.UNLESS_KIND ->
          ops[InstructionBounds.next(ops, at) - 1];
      default -> -1;
    };
  }

  /** Visits the instruction. */
  public void over(int at) {
    int register = written(at);
    if (register < 0) {
      return;
    }
    long[] value = ops[at] == LaneOpcode.SET ? of(ops[at + 2]) : null;
    boolean certain = value != null && (!back || writes[register] == 1) && !passed(at);
    values.clear();
    known.set(register, certain);
    for (int i = 0; value != null && certain && i < registers.length; i++) {
      registers[i][register] = value[i];
    }
  }

  /** Whether an earlier jump leads past the instruction. */
  private boolean passed(int at) {
    boolean passed = false;
    for (int before = 0; before < at; before = InstructionBounds.next(ops, before)) {
      passed |= target(before) > at;
    }
    return passed;
  }

  /** The operand's value in each launch; null if the epoch alone does not determine it. */
  public long @Nullable [] of(int operand) {
    if (!operands.hangsOnlyOn(known, operand)) {
      operands.registers(operand, live);
      return null;
    }
    long[] found = values.get(operand);
    if (found == null) {
      found = values(operand);
      values.put(operand, found);
    }
    return found.length == registers.length ? found : null;
  }

  private long[] values(int operand) {
    long[] found = new long[registers.length];
    try {
      for (int i = 0; i < found.length; i++) {
        found[i] = operands.value(operand, registers[i], 0);
      }
      return found;
    } catch (ProgramException divides) {
      operands.registers(operand, live);
      return new long[0];
    }
  }

  /** Whether an operand here always equals another one there. */
  public boolean same(int operand, LaneValues other, int there) {
    long[] one = of(operand);
    long[] two = other.of(there);
    if (one == null && two == null) {
      return operands.same(operand, there);
    }
    return Arrays.equals(one, two);
  }
}
