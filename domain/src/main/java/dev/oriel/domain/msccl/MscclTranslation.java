package dev.oriel.domain.msccl;

import dev.oriel.domain.msccl.MscclPlan.Gpu;
import dev.oriel.domain.msccl.MscclPlan.Step;
import dev.oriel.domain.msccl.MscclPlan.ThreadBlock;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.check.FormValidator;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the program of a plan. Block 5 of every gpu is lane {@code tb5}, in which each rank
 * executes its own steps.
 *
 * <p>The plan is modelled as intended: flags between blocks release and acquire in the scope of the
 * GPU, and counters of connections do in the scope of the system. A runtime executes the steps once
 * for each piece of a large call; pieces are disjoint bytes that pass the same slots in the same
 * order. One piece thus shows every deadlock and every race, and later launches pass the same slots
 * again.
 */
public final class MscclTranslation {
  private static final int THREADS = 32;

  /** Characters of the plan's name: a program's name has at most 64, with what is added. */
  private static final int MOST_NAME = 40;

  private MscclTranslation() {}

  /** The program for that kind of call. */
  public static TranslatedPlan of(MscclPlan plan, MscclVariant variant) {
    PlanMemory memory = new PlanMemory(plan, variant);
    ConnectionMemory connections = new ConnectionMemory(plan, variant);
    List<LaneFamily> lanes = new ArrayList<>();
    Map<String, List<Step>> steps = new LinkedHashMap<>();
    long turns =
        1
            + plan.gpus().stream()
                .flatMap(gpu -> gpu.blocks().stream())
                .mapToLong(block -> block.steps().size())
                .max()
                .orElse(0);
    int blocks = plan.gpus().stream().mapToInt(gpu -> gpu.blocks().size()).max().orElse(0);
    for (int id = 0; id < blocks; id++) {
      List<Op> body = new ArrayList<>();
      List<Step> of = new ArrayList<>();
      for (Gpu gpu : plan.gpus()) {
        if (id < gpu.blocks().size() && !gpu.blocks().get(id).steps().isEmpty()) {
          ThreadBlock block = gpu.blocks().get(id);
          BlockTranslation made = new BlockTranslation(memory, connections, block, variant, turns);
          body.add(
              new Op.If(
                  Cond.of(Expr.rank(), Comparison.EQ, Expr.of(gpu.id())), made.ops(), List.of()));
          of.add(block.steps().getFirst());
          of.addAll(made.steps());
        }
      }
      if (!body.isEmpty()) {
        String lane = "tb" + id;
        lanes.add(
            new LaneFamily(lane, List.of(), new LaneFamily.Engine.Sm(THREADS), states(body), body));
        steps.put(lane, List.copyOf(of));
      }
    }
    List<Buffer> buffers = new ArrayList<>(memory.buffers());
    buffers.addAll(connections.buffers());
    Form form =
        new Form(
            name(plan, variant),
            List.of(),
            List.of(),
            buffers,
            connections.signals(),
            List.of(),
            memory.promise().stream().toList(),
            lanes);
    return new TranslatedPlan(variant, FormValidator.validate(form), steps);
  }

  /** The counters that some rank's block changes. */
  private static List<LaneFamily.State> states(List<Op> body) {
    List<LaneFamily.State> states = new ArrayList<>();
    for (String name : List.of(BlockTranslation.SENT, BlockTranslation.RECEIVED)) {
      boolean changed =
          body.stream()
              .flatMap(op -> ((Op.If) op).then().stream())
              .anyMatch(
                  op -> op instanceof Op.Assign(String state, Expr value) && state.equals(name));
      if (changed) {
        states.add(new LaneFamily.State(name, Expr.of(1)));
      }
    }
    return states;
  }

  /** The plan's name as one of a program, and all that distinguishes the variant from others. */
  private static String name(MscclPlan plan, MscclVariant variant) {
    String name = plan.name().replaceAll("[^A-Za-z0-9_]", "_");
    String start = name.isEmpty() || Character.isDigit(name.charAt(0)) ? "_" + name : name;
    return "%s-%s-split-%d"
        .formatted(
            start.length() > MOST_NAME ? start.substring(0, MOST_NAME) : start,
            variant.inPlace() ? "in-place" : "out-of-place",
            variant.mostChunks());
  }
}
