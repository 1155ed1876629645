package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The steps of a lane that one rank may execute. A comparison of the rank's number with a constant
 * is decided; of any other condition both ways are followed. So no step is left out that the rank
 * executes. The lane's last two steps, a barrier and its end, always count as reached.
 */
public final class ReachedSteps {
  private static final int CLOSING = 2;

  private final LoweredLane lane;
  private final int rank;
  private final Map<Integer, Integer> positions = new HashMap<>();
  private final BitSet reached = new BitSet();
  private final Deque<Integer> open = new ArrayDeque<>();

  private ReachedSteps(LoweredLane lane, int rank) {
    this.lane = lane;
    this.rank = rank;
    for (int i = 0; i < lane.steps().size(); i++) {
      if (lane.steps().get(i).micro() instanceof MicroOperation.Label(int id)) {
        positions.put(id, i);
      }
    }
  }

  /** The indices of these steps. */
  public static BitSet of(LoweredLane lane, int rank) {
    ReachedSteps steps = new ReachedSteps(lane, rank);
    steps.reach(0);
    while (!steps.open.isEmpty()) {
      steps.follow(steps.open.pop());
    }
    int size = lane.steps().size();
    steps.reached.set(Math.max(0, size - CLOSING), size);
    return steps.reached;
  }

  private void reach(int step) {
    if (step < lane.steps().size() && !reached.get(step)) {
      reached.set(step);
      open.push(step);
    }
  }

  private void follow(int step) {
    switch (lane.steps().get(step).micro()) {
      case MicroOperation.End _ -> {}
      case MicroOperation.Jump(int label) -> reach(position(label));
      case MicroOperation.Unless(Cond condition, int label) -> {
        boolean fails = condition.terms().stream().anyMatch(this::fails);
        boolean holds = condition.terms().stream().allMatch(this::holds);
        if (!fails) {
          reach(step + 1);
        }
        if (!holds) {
          reach(position(label));
        }
      }
      case MicroOperation.UnlessKind kind -> {
        reach(step + 1);
        reach(position(kind.label()));
      }
      default -> reach(step + 1);
    }
  }

  private int position(int label) {
    Integer at = positions.get(label);
    return at == null ? lane.position(label) : at;
  }

  private boolean holds(Cond.Term term) {
    return decided(term, true);
  }

  private boolean fails(Cond.Term term) {
    return decided(term, false);
  }

  /** Whether both sides are known, and the comparison has that result. */
  private boolean decided(Cond.Term term, boolean result) {
    OptionalLong left = known(term.left());
    OptionalLong right = known(term.right());
    return left.isPresent()
        && right.isPresent()
        && term.comparison().test(left.getAsLong(), right.getAsLong()) == result;
  }

  private OptionalLong known(Expr value) {
    return switch (value) {
      case Expr.Const(long constant) -> OptionalLong.of(constant);
      case Expr e when e.equals(Expr.rank()) -> OptionalLong.of(rank);
      default -> OptionalLong.empty();
    };
  }
}
