package dev.oriel.sim.code;

import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The values at which lanes may come to do something else: constants of conditions, what sums,
 * differences, products and quotients of two of them come to, and constants that bound or divide. A
 * loaded word that takes each of them, and both numbers next to it, takes one of each class that a
 * comparison tells apart.
 */
public final class ComparedValues {
  /** Of conditions with more constants only these count, not what they come to together. */
  private static final int FEW = 8;

  private ComparedValues() {}

  /** All of them, with their neighbours, none of them negative. */
  public static SortedSet<Long> of(WorldCode world) {
    SortedSet<Long> constants = new TreeSet<>();
    for (LaneCode lane : world.lanes()) {
      int[] ops = lane.ops();
      for (int at = 0; at < ops.length; at = Instruction.next(ops, at)) {
        if (ops[at] == Opcode.UNLESS || ops[at] == Opcode.CHECK) {
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
