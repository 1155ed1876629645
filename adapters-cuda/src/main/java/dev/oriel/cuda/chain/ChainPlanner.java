package dev.oriel.cuda.chain;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Plans the chain of one copy lane of one rank by walking the lane's steps once. Every copy and
 * every branch must be known before any launch; awaited and signalled values may depend on the
 * launch.
 */
public final class ChainPlanner {
  /** A longer chain takes longer to enqueue than any copy saves. */
  static final int MAX_LINKS = 4096;

  private static final int MAX_STEPS = 1_000_000;

  private final RankProgram rank;
  private final LoweredLane lane;
  private final Map<String, Long> indices;
  private final RegisterValues operands = new RegisterValues();
  private final List<ChainLink> links = new ArrayList<>();
  private final List<LoweredStep> stage = new ArrayList<>();

  private ChainPlanner(RankProgram rank, LoweredLane lane, Map<String, Long> indices) {
    this.rank = rank;
    this.lane = lane;
    this.indices = indices;
  }

  /** Whether copy engines run the lane. */
  public static boolean runs(LaneFamily lane) {
    return lane.engine() instanceof LaneFamily.Engine.Copy;
  }

  /**
   * The links of one instance of a copy lane; the last link ends the lane.
   *
   * @throws ProgramException if a step is not one that a copy engine can run
   */
  public static List<ChainLink> plan(
      RankProgram rank, LoweredLane lane, Map<String, Long> indices) {
    ChainPlanner planner = new ChainPlanner(rank, lane, indices);
    indices.forEach((name, value) -> planner.operands.set(name, Expr.of(value)));
    planner.walk();
    return planner.links;
  }

  private void walk() {
    int taken = 0;
    int at = 0;
    while (at < lane.steps().size()) {
      if (taken++ == MAX_STEPS || links.size() > MAX_LINKS) {
        throw new ProgramException(
            "chain is too long: lane=%s, rank=%d, maxLinks=%d, maxSteps=%d; copy more at a time"
                .formatted(lane.lane().name(), rank.rank(), MAX_LINKS, MAX_STEPS));
      }
      at = next(at, lane.steps().get(at));
    }
  }

  private int next(int at, LoweredStep step) {
    int next = at + 1;
    switch (step.micro()) {
      case MicroOperation.Label l -> {}
      case MicroOperation.Jump(int label) -> next = lane.position(label);
      case MicroOperation.Unless(Cond condition, int label) ->
          next = holds(condition, step) ? next : lane.position(label);
      case MicroOperation.Set(String register, Expr value) -> set(register, value, step);
      case MicroOperation.Copy copy -> copy(copy, step);
      case MicroOperation.Bar bar -> meet(step);
      case MicroOperation.Fence fence -> stage.add(step);
      case MicroOperation.WriteSlot w ->
          stage.add(
              new LoweredStep(
                  new MicroOperation.WriteSlot(
                      operands.of(w.slot()),
                      w.change(),
                      operands.of(w.value()),
                      w.order(),
                      w.scope()),
                  step.why()));
      case MicroOperation.PollSlot p ->
          stage.add(
              new LoweredStep(
                  new MicroOperation.PollSlot(
                      operands.of(p.slot()),
                      p.quantifier(),
                      p.comparison(),
                      operands.of(p.value()),
                      p.order(),
                      p.scope()),
                  step.why()));
      case MicroOperation.End end -> end(step);
      default -> throw refused(step, "a copy engine copies, and signals and waits in between");
    }
    return next;
  }

  /**
   * Links are ordered one after another, so a barrier is needed only after steps of the warp
   * itself.
   */
  private void meet(LoweredStep bar) {
    if (!stage.isEmpty() && !(stage.getLast().micro() instanceof MicroOperation.Bar)) {
      stage.add(bar);
    }
  }

  private void end(LoweredStep end) {
    List<LaneFamily.State> states = lane.persistent();
    // All new values are computed before any is stored: one may depend on the old value of another.
    for (LaneFamily.State state : states) {
      stage.add(store("next$" + state.name(), operands.of(Expr.name(state.name()))));
    }
    for (LaneFamily.State state : states) {
      stage.add(store(state.name(), Expr.name("next$" + state.name())));
    }
    closeStage(end, true);
  }

  private void set(String register, Expr value, LoweredStep step) {
    try {
      operands.set(register, value);
    } catch (ProgramException e) {
      throw refused(step, "" + e.getMessage());
    }
  }

  private static LoweredStep store(String register, Expr value) {
    return new LoweredStep(new MicroOperation.Set(register, value), "");
  }

  private void copy(MicroOperation.Copy copy, LoweredStep step) {
    if (!(copy.combine() instanceof Combine.Copy)) {
      throw refused(step, "a copy engine adds nothing up; use an sm lane");
    }
    ChainLink.Place from = place(copy.sources().getFirst().region(), step);
    long bytes = value(copy.bytes(), step);
    for (Region destination : copy.destinations()) {
      for (int peer : peers(destination.at(), step)) {
        plain(destination, step);
        ChainLink.Place to =
            new ChainLink.Place(peer, destination.buffer(), value(destination.offset(), step));
        if (bytes > 0) {
          if (!stage.isEmpty()) {
            closeStage(new LoweredStep(new MicroOperation.End(), "the engine goes on"), false);
          }
          links.add(new ChainLink.Copy(to, from, bytes));
        }
      }
    }
  }

  /** Closes the stage of the steps collected so far: the engine's next copy comes after it. */
  private void closeStage(LoweredStep end, boolean last) {
    if (!stage.isEmpty() && stage.getLast().micro() instanceof MicroOperation.Bar) {
      stage.removeLast();
    }
    stage.add(
        new LoweredStep(new MicroOperation.Bar(), "every thread is done before the stage is"));
    stage.add(end);
    links.add(new ChainLink.Stage(stage, last));
    stage.clear();
  }

  private ChainLink.Place place(Region region, LoweredStep step) {
    plain(region, step);
    return new ChainLink.Place(
        peers(region.at(), step).getFirst(), region.buffer(), value(region.offset(), step));
  }

  private void plain(Region region, LoweredStep step) {
    if (!(region.access() instanceof Access.Weak)) {
      throw refused(step, "a copy engine makes no packets; use an sm lane");
    }
  }

  /** Starts at the next rank, to keep engines from all writing to one rank at a time. */
  private List<Integer> peers(Peers peers, LoweredStep step) {
    int world = rank.program().world();
    return switch (peers) {
      case Peers.Self() -> List.of(rank.rank());
      case Peers.One(Expr one) -> List.of(Math.toIntExact(value(one, step)));
      case Peers.Others() -> from(1, world);
      case Peers.All() -> from(0, world);
    };
  }

  private List<Integer> from(int first, int world) {
    List<Integer> ranks = new ArrayList<>();
    for (int i = first; i < world; i++) {
      ranks.add((rank.rank() + i) % world);
    }
    return ranks;
  }

  private boolean holds(Cond condition, LoweredStep step) {
    Cond meant = operands.of(condition);
    try {
      return ExprEvaluator.holds(meant, this::known);
    } catch (ProgramException e) {
      throw refused(
          step,
          "a condition in a copy lane must be known before the first launch: " + e.getMessage());
    }
  }

  private long value(Expr expr, LoweredStep step) {
    Expr meant = operands.of(expr);
    try {
      return ExprEvaluator.value(meant, this::known);
    } catch (ProgramException e) {
      throw refused(
          step,
          "addresses and sizes in a copy lane must be known before the first launch: "
              + e.getMessage());
    }
  }

  private long known(String name) {
    Long index = indices.get(name);
    return index == null ? rank.known(name) : index;
  }

  private ProgramException refused(LoweredStep step, String rule) {
    return new ProgramException(
        "not for a copy engine: form=%s, lane=%s, operation=%s; %s"
            .formatted(
                rank.program().form().name(),
                lane.lane().name(),
                StepPrinter.print(step.micro()),
                rule));
  }
}
