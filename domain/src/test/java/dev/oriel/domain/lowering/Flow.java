package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Op;
import dev.oriel.domain.rewrite.PartTraversal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The possible history before each step of a lane, over every path: an independent reading of the
 * steps, which does not depend on their emission.
 */
final class Flow {
  /**
   * Accesses since the last barrier and since the last fence, by their reason. Also, since the last
   * barrier, words that one thread changed without waiting, and words that it stored strongly.
   */
  record Before(
      Set<String> unordered, Set<String> unfenced, Set<String> changed, Set<String> strong) {}

  private final List<LoweredStep> steps;
  private final List<Before> before = new ArrayList<>();
  private final Set<Integer> reached = new HashSet<>();

  /** One more than the number of each operation that one thread does. */
  private final BitSet alone = new BitSet();

  Flow(LoweredLane lane) {
    steps = lane.steps();
    alone(lane.lane().body(), 1, false);
    for (int i = 0; i < steps.size(); i++) {
      before.add(new Before(new HashSet<>(), new HashSet<>(), new HashSet<>(), new HashSet<>()));
    }
    Deque<Integer> open = new ArrayDeque<>(List.of(0));
    reached.add(0);
    while (!open.isEmpty()) {
      int at = open.pop();
      Before after = after(at);
      for (int next : next(lane, at)) {
        boolean more = before.get(next).unordered().addAll(after.unordered());
        more |= before.get(next).unfenced().addAll(after.unfenced());
        more |= before.get(next).changed().addAll(after.changed());
        more |= before.get(next).strong().addAll(after.strong());
        if (reached.add(next) || more) {
          open.push(next);
        }
      }
    }
  }

  private int alone(List<Op> ops, int before, boolean inside) {
    int number = before;
    for (Op op : ops) {
      alone.set(number, inside);
      number++;
      for (List<Op> block : PartTraversal.blocks(op)) {
        number = alone(block, number, inside || op instanceof Op.Leader);
      }
    }
    return number;
  }

  /** Whether one thread alone executes the step. */
  boolean alone(int step) {
    return alone.get(steps.get(step).operation() + 1);
  }

  Before before(int step) {
    return before.get(step);
  }

  boolean reached(int step) {
    return reached.contains(step);
  }

  private Before after(int at) {
    Before b = before.get(at);
    Set<String> unordered = new HashSet<>(b.unordered());
    Set<String> unfenced = new HashSet<>(b.unfenced());
    Set<String> changed = new HashSet<>(b.changed());
    Set<String> strong = new HashSet<>(b.strong());
    if (alone.get(steps.get(at).operation() + 1)) {
      return b;
    }
    switch (steps.get(at).micro()) {
      case MicroOperation.Bar bar -> {
        unordered.clear();
        changed.clear();
        strong.clear();
      }
      case MicroOperation.Fence fence -> unfenced.clear();
      case MicroOperation.Copy copy -> unordered.add(why(at));
      case MicroOperation.LoadWord load -> unordered.add("load");
      case MicroOperation.StoreWord store -> unordered.add("store");
      case MicroOperation.Rmw rmw when rmw.register().isEmpty() && why(at).startsWith("atomic ") ->
          changed.add(why(at));
      case MicroOperation.Rmw rmw when rmw.register().isEmpty() && why(at).startsWith("store ") ->
          strong.add(why(at));
      default -> {}
    }
    switch (steps.get(at).micro()) {
      case MicroOperation.Copy copy -> unfenced.add(why(at));
      case MicroOperation.StoreWord store -> unfenced.add("store");
      default -> {}
    }
    return new Before(unordered, unfenced, changed, strong);
  }

  private String why(int at) {
    return steps.get(at).why();
  }

  private List<Integer> next(LoweredLane lane, int at) {
    return switch (steps.get(at).micro()) {
      case MicroOperation.Jump(int label) -> List.of(lane.position(label));
      case MicroOperation.Unless(var condition, int label) -> List.of(at + 1, lane.position(label));
      case MicroOperation.UnlessKind(var peer, var kind, int label) ->
          List.of(at + 1, lane.position(label));
      case MicroOperation.End end -> List.of();
      default -> List.of(at + 1);
    };
  }
}
