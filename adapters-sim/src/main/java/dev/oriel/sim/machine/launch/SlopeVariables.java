package dev.oriel.sim.machine.launch;

import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.code.OperandTable.Linear;
import dev.oriel.sim.machine.layout.MachineModel;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The slopes of registers, signals and buffers, as far as they are known, and the rules that relate
 * them. A rule gives a slope to a variable that has none, or checks the slopes that are known.
 *
 * <p>Values that are compared in unsigned order must be positive, since a negative one would change
 * its place in that order when it moves. The same holds for all values from which they come.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class SlopeVariables {
  /** More first launches that are treated in another way than this are not looked at. */
  static final int MAX_SETTLED = 16;

  private static final int EQ = Comparison.EQ.ordinal();
  private static final int NE = Comparison.NE.ordinal();
  private static final int REACHED = Comparison.REACHED.ordinal();

  private final MachineModel model;
  private final OperandTable operands;
  private final LaneDefinitions[] lanes;
  final int period;

  /** By variable: registers, then signals, then buffers; null while it is unknown. */
  private final @Nullable Long[] slopes;

  /** Variables whose values are compared in unsigned order. */
  private final BitSet ordered = new BitSet();

  private int settled;
  private boolean changed;

  /** Whether every slope is known, so that rules only check. */
  private boolean judges;

  SlopeVariables(MachineModel model, LaneDefinitions[] lanes, int period) {
    this.model = model;
    this.lanes = lanes;
    this.period = period;
    operands = model.code.operands();
    slopes = new Long[model.registers + model.words.signals + model.buffers];
    for (int l = 0; l < model.lanes; l++) {
      slopes[register(l, LaneInstructions.EPOCH)] = (long) period;
    }
  }

  int count() {
    return slopes.length;
  }

  int register(int lane, int number) {
    return model.firstRegister[lane] + number;
  }

  int signal(int signal) {
    return model.registers + signal;
  }

  int buffer(int buffer) {
    return model.registers + model.words.signals + model.base[buffer];
  }

  /** The variable's slope, 0 while it is unknown. */
  long slope(int variable) {
    Long slope = slopes[variable];
    return slope == null ? 0 : slope;
  }

  boolean known(int variable) {
    return slopes[variable] != null;
  }

  boolean ordered(int variable) {
    return ordered.get(variable);
  }

  /** The number of first launches that slopes do not describe. */
  int settled() {
    return settled;
  }

  /** Whether a rule changed anything since the last call. */
  boolean changed() {
    boolean since = changed;
    changed = false;
    return since;
  }

  /** From now on rules only check. */
  void judge() {
    judges = true;
  }

  /** The operand's value does not depend on the launch, beyond the period. */
  void fixed(int lane, int operand) {
    Long slope = slope(lane, operand);
    if (slope == null) {
      become(lane, operand, 0);
    } else if (slope != 0) {
      throw new SlopeConflictException("an address, size, rank or amount grows with the launches");
    }
  }

  /** The variable has that slope. */
  void is(int variable, long slope) {
    Long known = slopes[variable];
    if (known == null) {
      slopes[variable] = slope;
      changed = true;
    } else if (known != slope) {
      throw new SlopeConflictException(
          "one register, slot or word receives values that grow by %d and by %d in %d launches"
              .formatted(known, slope, period));
    }
  }

  /** Both variables hold the same values. */
  void unify(int one, int other) {
    if (ordered.get(one) || ordered.get(other)) {
      order(one);
      order(other);
    }
    Long a = slopes[one];
    Long b = slopes[other];
    if (a != null) {
      is(other, a);
    } else if (b != null) {
      is(one, b);
    }
  }

  /** Values of the operand become values of the variable, or are compared with them. */
  void equal(int lane, int variable, int operand) {
    sum(lane, variable, 1, operand);
  }

  /** So many values of the variable together are compared with the operand. */
  void sum(int lane, int variable, int count, int operand) {
    if (ordered.get(variable)) {
      positive(lane, operand);
    }
    Long slope = slope(lane, operand);
    Long known = slopes[variable];
    if (slope == null && known != null) {
      become(lane, operand, known * count);
    } else if (slope != null && (count == 0 || slope % count != 0)) {
      if (slope != 0) {
        throw new SlopeConflictException("a sum grows in another way than its operand");
      }
    } else if (slope != null) {
      is(variable, slope / count);
    }
  }

  /** A fixed amount is added to values of the variable. */
  void added(int lane, int variable, int operand) {
    fixed(lane, operand);
    boolean falls = ordered.get(variable) && operands.always(operand, -1) < 0;
    if (judges && slope(variable) != 0 && falls) {
      throw new SlopeConflictException("what is added to a value that grows may be negative");
    }
  }

  /** Values of the variable are compared with the operand. */
  void compared(int lane, int comparison, int variable, int operand) {
    if (unsigned(comparison)) {
      order(variable);
      order(lane, operand);
    }
  }

  /** Both operands are compared. */
  void compare(int lane, int comparison, int left, int right) {
    if (unsigned(comparison)) {
      order(lane, left);
      order(lane, right);
    }
    Long a = slope(lane, left);
    Long b = slope(lane, right);
    if (a != null && b != null && !a.equals(b)) {
      threshold(lane, left, right);
    } else if (a == null && b != null) {
      become(lane, left, b);
    } else if (a != null && b == null) {
      become(lane, right, a);
    } else if (unsigned(comparison)) {
      positive(lane, left);
      positive(lane, right);
    }
  }

  private static boolean unsigned(int comparison) {
    return comparison != EQ && comparison != NE && comparison != REACHED;
  }

  private void order(int lane, int operand) {
    BitSet read = new BitSet();
    operands.registers(operand, read);
    read.stream().forEach(r -> order(register(lane, r)));
  }

  private void order(int variable) {
    changed |= !ordered.get(variable);
    ordered.set(variable);
  }

  /**
   * The operand is positive in each launch that slopes describe, if it has one: it is a multiple of
   * the epoch and a constant, or a sum of positive values.
   */
  private void positive(int lane, int operand) {
    order(lane, operand);
    Long slope = judges ? slope(lane, operand) : null;
    if (slope == null || slope == 0) {
      return;
    }
    requireSmall(operand);
    Linear affine = lanes[lane].affine(operand);
    if (affine != null) {
      above(affine);
      return;
    }
    Linear linear = lanes[lane].linear(operand);
    boolean sum =
        linear != null
            && linear.constant() >= 0
            && linear.terms().values().stream().allMatch(factor -> factor > 0);
    if (!sum) {
      throw new SlopeConflictException("a difference that grows may be negative");
    }
  }

  /** Whether the epoch alone determines the operand, which is then positive after some launches. */
  boolean aboveZero(int lane, int operand) {
    Linear affine = lanes[lane].affine(operand);
    Long slope = slope(lane, operand);
    if (affine == null || slope == null || slope <= 0) {
      return false;
    }
    above(affine);
    return true;
  }

  /** Counts the launches until the multiple of the epoch and a constant is above 0. */
  private void above(Linear affine) {
    long factor = factor(affine);
    if (factor < 0 || (factor == 0 && affine.constant() < 0)) {
      throw new SlopeConflictException("a value that falls with the launches is compared");
    }
    if (factor > 0) {
      settle(Math.ceilDiv(1 - affine.constant(), factor));
    }
  }

  private static long factor(Linear affine) {
    return affine.terms().getOrDefault(LaneInstructions.EPOCH, 0L);
  }

  /** Slopes describe launches from that epoch on. */
  private void settle(long epoch) {
    settled = (int) Math.max(settled, Math.min(epoch - 1, MAX_SETTLED + 1L));
  }

  /** Multiples of the epoch are compared: from some epoch on, the result stays the same. */
  private void threshold(int lane, int left, int right) {
    Linear a = lanes[lane].affine(left);
    Linear b = lanes[lane].affine(right);
    if (a == null || b == null) {
      throw new SlopeConflictException(
          "a value that grows is compared with one that grows otherwise");
    }
    // The difference, factor * epoch + rest, keeps its sign from that epoch on.
    long factor = factor(a) - factor(b);
    long rest = a.constant() - b.constant();
    settle(factor == 0 ? 1 : Math.floorDiv(Math.abs(rest), Math.abs(factor)) + 1);
    above(a);
    above(b);
  }

  /** Gives the slope to the only register of the operand that has none yet, if there is one. */
  private void become(int lane, int operand, long slope) {
    Linear linear = operands.linear(operand);
    if (linear == null) {
      return;
    }
    long rest = slope;
    int unknown = -1;
    for (var term : linear.terms().entrySet()) {
      int variable = register(lane, term.getKey());
      if (known(variable)) {
        rest -= slope(variable) * term.getValue();
      } else if (unknown >= 0) {
        return;
      } else {
        unknown = term.getKey();
      }
    }
    if (unknown >= 0) {
      long factor = linear.terms().getOrDefault(unknown, 1L);
      if (rest % factor != 0) {
        throw new SlopeConflictException("no whole growth fits");
      }
      is(register(lane, unknown), rest / factor);
    }
  }

  /** The operand's slope; null if it depends on registers whose slopes are unknown. */
  private @Nullable Long slope(int lane, int operand) {
    Long slope = operands.slope(operand, r -> slopes[register(lane, r)]);
    if (slope != null && slope == OperandTable.NO_SLOPE) {
      throw new SlopeConflictException(
          "a value depends on the launch in another way than by growing");
    }
    operands.keptFromZero(operand, kept -> keptFromZero(lane, kept));
    operands.divided(
        operand,
        r -> slopes[register(lane, r)],
        grows -> {
          // A quotient of a number that wraps is another one.
          order(lane, grows);
          requireSmall(grows);
        });
    return slope;
  }

  private void requireSmall(int operand) {
    if (judges && operands.wraps(operand)) {
      throw new SlopeConflictException("a number that grows is so large that it may wrap soon");
    }
  }

  /** A number that is kept from 0 is the number itself, once that is above 0. */
  private void keptFromZero(int lane, int operand) {
    Long slope = slope(lane, operand);
    if (slope != null && slope != 0) {
      Linear affine = lanes[lane].affine(operand);
      if (affine == null) {
        throw new SlopeConflictException("a flag depends on more than the launch");
      }
      above(affine);
    }
  }
}
