package dev.oriel.sim.code;

import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The values at which lanes may change their behaviour. They are the constants of conditions, the
 * sums, differences, products and quotients of any two of these, and constants that bound or
 * divide. If a loaded word takes each of them, and both their neighbours, it takes one value of
 * each class that a comparison distinguishes.
 */
public final class ComparedValues {
  /** Conditions with more constants contribute only these constants, not their combinations. */
  private static final int FEW = 8;

  private ComparedValues() {}

  /** All such values with their neighbours, without negative ones. */
  public static SortedSet<Long> of(WorldCode world) {
    SortedSet<Long> constants = new TreeSet<>();
    for (LaneInstructions lane : world.lanes()) {
      int[] ops = lane.ops();
      for (int at = 0; at < ops.length; at = InstructionBounds.next(ops, at)) {
        if (ops[at] == LaneOpcode.UNLESS || ops[at] == LaneOpcode.CHECK) {
          for (int i = 0, condition = at + 2; i < ops[at + 1]; i++, condition += 3) {
            SortedSet<Long> compared = new TreeSet<>();
            world.operands().constants(ops[condition + 1], compared);
            world.operands().constants(ops[condition + 2], compared);
            constants.addAll(compared);
            if (compared.size() <= FEW) {
              compared.forEach(a -> compared.forEach(b -> combined(a, b, constants)));
            }
          }
        }
      }
    }
    world.operands().divisors(constants);
    SortedSet<Long> values = new TreeSet<>();
    for (long constant : constants) {
      for (long value : Arrays.asList(constant - 1, constant, constant + 1)) {
        if (value >= 0) {
          values.add(value);
        }
      }
    }
    return values;
  }

  private static void combined(long a, long b, SortedSet<Long> into) {
    if (a != b) {
      into.addAll(Arrays.asList(a + b, a - b, a * b));
    }
    if (b > 1) {
      into.add(a / b);
    }
  }
}
