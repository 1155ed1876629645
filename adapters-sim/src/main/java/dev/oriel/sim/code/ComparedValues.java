package dev.oriel.sim.code;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The values at which lanes may change their behaviour. They are the constants of conditions and of
 * the registers that these read, the results of the operators on any two of these constants,
 * constants that bound or divide, and those for which lanes wait or that they swap. If a loaded
 * word takes each of them, and both their neighbours, it takes one value of each class that a
 * comparison distinguishes.
 */
public final class ComparedValues {
  /** Conditions with more constants contribute only these constants, not their combinations. */
  private static final int FEW = 8;

  /** Combinations are left out beyond that many values, so that they replace no constant. */
  private static final int MOST = 56;

  private final WorldCode world;
  private final SortedSet<Long> constants = new TreeSet<>();

  /** Constants for which lanes wait, or that they swap. */
  private final SortedSet<Long> awaited = new TreeSet<>();

  /** Results of operators on two constants of a condition; the most likely ones first. */
  private final Set<Long> combined = new LinkedHashSet<>();

  private ComparedValues(WorldCode world) {
    this.world = world;
  }

  /**
   * All such values with their neighbours, as unsigned numbers. Constants of conditions come before
   * results of operators, and these before constants of waits.
   */
  public static Set<Long> of(WorldCode world) {
    return new ComparedValues(world).all();
  }

  private Set<Long> all() {
    for (boolean assigned : new boolean[] {false, true}) {
      for (LaneInstructions lane : world.lanes()) {
        int[] ops = lane.ops();
        for (int at = 0; at < ops.length; at = InstructionBounds.next(ops, at)) {
          switch (ops[at]) {
            case LaneOpcode.POLL_SLOT -> world.operands().constants(ops[at + 6], awaited);
            case LaneOpcode.POLL_WORD -> world.operands().constants(ops[at + 4], awaited);
            case LaneOpcode.RMW -> world.operands().constants(ops[at + 7], awaited);
            case LaneOpcode.UNLESS, LaneOpcode.CHECK -> {
              for (int i = 0, condition = at + 2; i < ops[at + 1]; i++, condition += 3) {
                condition(ops, condition, assigned);
              }
            }
            default -> {
              // No other operation decides by a value.
            }
          }
        }
      }
    }
    world.operands().divisors(constants);
    Set<Long> values = new LinkedHashSet<>();
    constants.forEach(constant -> around(constant, values));
    for (long value : combined) {
      if (value >= 0 && values.size() < MOST) {
        around(value, values);
      }
    }
    awaited.forEach(constant -> around(constant, values));
    return values;
  }

  private void condition(int[] ops, int condition, boolean assigned) {
    SortedSet<Long> compared = new TreeSet<>();
    BitSet registers = new BitSet();
    for (int side : new int[] {ops[condition + 1], ops[condition + 2]}) {
      world.operands().constants(side, compared);
      world.operands().registers(side, registers);
    }
    if (assigned) {
      assigned(ops, registers, compared);
    }
    constants.addAll(compared);
    if (compared.size() <= FEW) {
      compared.forEach(a -> compared.forEach(b -> combine(a, b)));
    }
  }

  /** Adds constants of the operands that the registers are assigned, and so on from there. */
  private void assigned(int[] ops, BitSet registers, SortedSet<Long> into) {
    int before;
    do {
      before = registers.cardinality();
      for (int at = 0; at < ops.length; at = InstructionBounds.next(ops, at)) {
        if (ops[at] == LaneOpcode.SET && registers.get(ops[at + 1])) {
          world.operands().constants(ops[at + 2], into);
          world.operands().registers(ops[at + 2], registers);
        }
      }
    } while (registers.cardinality() > before);
  }

  private void combine(long a, long b) {
    if (a != b) {
      combined.addAll(Arrays.asList(a + b, a - b, a * b));
    }
    if (b > 1) {
      combined.add(a / b);
    }
    if (a > 0 && 0 < b && b < Long.SIZE - 1 && a <= Long.MAX_VALUE >> b) {
      combined.add(a << b);
    }
    if (a > 1) {
      combined.add((long) Math.sqrt((double) a));
    }
  }

  private static void around(long constant, Set<Long> into) {
    into.addAll(Arrays.asList(constant - 1, constant, constant + 1));
  }
}
