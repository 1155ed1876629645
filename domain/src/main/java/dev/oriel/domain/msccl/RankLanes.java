package dev.oriel.domain.msccl;

import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.check.FormLimits;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Lanes in which each rank executes operations of its own. A lane that would be too long continues
 * as {@code tb5_gpu32} for the ranks from 32 on.
 */
public final class RankLanes {
  private static final int THREADS = 32;

  private final List<LaneFamily> lanes = new ArrayList<>();
  private final Map<String, List<PlanStep>> steps = new LinkedHashMap<>();

  /**
   * The operations of one rank.
   *
   * @param steps the step to which each operation belongs; at least one, also without operations
   */
  public record Part(int rank, List<Op> ops, List<? extends PlanStep> steps) {
    public Part {
      ops = List.copyOf(ops);
      steps = List.copyOf(steps);
    }
  }

  /** Adds a lane; ranks without operations do nothing in it. */
  public void add(String name, List<Part> parts) {
    List<Op> body = new ArrayList<>();
    List<PlanStep> of = new ArrayList<>();
    String current = name;
    for (Part part : parts) {
      if (of.size() + 1 + part.ops.size() > FormLimits.MAX_OPERATIONS && !body.isEmpty()) {
        lane(current, body, of);
        current = "%s_gpu%d".formatted(name, part.rank);
        body.clear();
        of.clear();
      }
      Cond own = Cond.of(Expr.rank(), Comparison.EQ, Expr.of(part.rank));
      body.add(new Op.If(own, part.ops, List.of()));
      of.add(part.steps.getFirst());
      of.addAll(part.steps.subList(0, part.ops.size()));
    }
    if (!body.isEmpty()) {
      lane(current, body, of);
    }
  }

  private void lane(String name, List<Op> body, List<PlanStep> of) {
    lanes.add(
        new LaneFamily(name, List.of(), new LaneFamily.Engine.Sm(THREADS), states(body), body));
    steps.put(name, List.copyOf(of));
  }

  /** The counters that some rank's operations change. */
  private static List<LaneFamily.State> states(List<Op> body) {
    return body.stream()
        .flatMap(op -> ((Op.If) op).then().stream())
        .flatMap(op -> op instanceof Op.Assign assign ? Stream.of(assign.state()) : Stream.of())
        .distinct()
        .sorted(Comparator.reverseOrder())
        .map(state -> new LaneFamily.State(state, Expr.of(1)))
        .toList();
  }

  public List<LaneFamily> lanes() {
    return List.copyOf(lanes);
  }

  /** For each lane the step of every operation, an operation before those of its blocks. */
  public Map<String, List<PlanStep>> steps() {
    return Map.copyOf(steps);
  }
}
