package dev.oriel.sim.machine;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.code.LaneCode;
import dev.oriel.sim.code.Operands;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What operands are in each launch, as far as that is known before anything runs. */
final class Launches {
  private final Operands operands;
  private final long first;
  private final int count;
  private final Map<Integer, long[]> known = new HashMap<>();

  /** Of so many launches, behind those that are past. */
  Launches(Operands operands, long past, int count) {
    this.operands = operands;
    this.first = past + 1;
    this.count = count;
  }

  /** The operand's value in each launch; null if it hangs on more than the epoch. */
  long @Nullable [] of(int operand) {
    if (!operands.hangsOnlyOn(LaneCode.EPOCH, operand)) {
      return null;
    }
    return known.computeIfAbsent(operand, this::values);
  }

  private long @Nullable [] values(int operand) {
    long[] values = new long[count];
    long[] registers = new long[LaneCode.EPOCH + 1];
    try {
      for (int i = 0; i < count; i++) {
        registers[LaneCode.EPOCH] = first + i;
        values[i] = operands.value(operand, registers, 0);
      }
      return values;
    } catch (ProgramException divides) {
      return null;
    }
  }

  int count() {
    return count;
  }

  /** Whether both are the same for lanes whose registers hold the same. */
  boolean same(int a, int b) {
    if (operands.same(a, b)) {
      return true;
    }
    long[] one = of(a);
    long[] other = of(b);
    return one != null && other != null && Arrays.equals(one, other);
  }
}
