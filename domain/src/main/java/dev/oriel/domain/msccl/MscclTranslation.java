package dev.oriel.domain.msccl;

import dev.oriel.domain.msccl.MscclPlan.Step;
import dev.oriel.domain.msccl.MscclPlan.ThreadBlock;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.check.FormLimits;
import dev.oriel.domain.program.check.FormValidator;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Makes the program of a plan. Block 5 of every gpu is lane {@code tb5}, in which each rank
 * executes its own steps. A lane that would be too long continues as {@code tb5_gpu32} for the
 * ranks from 32 on.
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

  private final MscclPlan plan;
  private final MscclVariant variant;
  private final PlanMemory memory;
  private final ConnectionMemory connections;

  /** More than the steps of any block. */
  private final long turns;

  private final List<LaneFamily> lanes = new ArrayList<>();
  private final Map<String, List<Step>> steps = new LinkedHashMap<>();

  private MscclTranslation(MscclPlan plan, MscclVariant variant) {
    this.plan = plan;
    this.variant = variant;
    this.memory = new PlanMemory(plan, variant);
    this.connections = new ConnectionMemory(plan, variant);
    this.turns = 1 + blocks().mapToLong(block -> block.steps().size()).max().orElse(0);
    int count = plan.gpus().stream().mapToInt(gpu -> gpu.blocks().size()).max().orElse(0);
    for (int id = 0; id < count; id++) {
      lanes(id);
    }
  }

  /** The program for that kind of call. */
  public static TranslatedPlan of(MscclPlan plan, MscclVariant variant) {
    MscclTranslation made = new MscclTranslation(plan, variant);
    return new TranslatedPlan(variant, FormValidator.validate(made.form()), made.steps);
  }

  private Stream<ThreadBlock> blocks() {
    return plan.gpus().stream().flatMap(gpu -> gpu.blocks().stream());
  }

  private Form form() {
    List<Buffer> buffers = new ArrayList<>(memory.buffers());
    buffers.addAll(connections.buffers());
    return new Form(
        name(),
        List.of(),
        List.of(),
        buffers,
        connections.signals(),
        List.of(),
        memory.promise().stream().toList(),
        lanes);
  }

  /** The lanes of all blocks with that id. */
  private void lanes(int id) {
    List<Op> body = new ArrayList<>();
    List<Step> of = new ArrayList<>();
    String name = "tb" + id;
    for (ThreadBlock block : blocks().filter(each -> each.id() == id).toList()) {
      if (block.steps().isEmpty()) {
        continue;
      }
      BlockTranslation made = new BlockTranslation(memory, connections, block, variant, turns);
      if (of.size() + 1 + made.ops().size() > FormLimits.MAX_OPERATIONS && !body.isEmpty()) {
        lane(name, body, of);
        name = "tb%d_gpu%d".formatted(id, block.gpu());
        body.clear();
        of.clear();
      }
      Cond own = Cond.of(Expr.rank(), Comparison.EQ, Expr.of(block.gpu()));
      body.add(new Op.If(own, made.ops(), List.of()));
      of.add(block.steps().getFirst());
      of.addAll(made.steps());
    }
    if (!body.isEmpty()) {
      lane(name, body, of);
    }
  }

  private void lane(String name, List<Op> body, List<Step> of) {
    lanes.add(
        new LaneFamily(name, List.of(), new LaneFamily.Engine.Sm(THREADS), states(body), body));
    steps.put(name, List.copyOf(of));
  }

  /** The counters that some rank's block changes. */
  private static List<LaneFamily.State> states(List<Op> body) {
    List<String> changed =
        body.stream()
            .flatMap(op -> ((Op.If) op).then().stream())
            .flatMap(op -> op instanceof Op.Assign assign ? Stream.of(assign.state()) : Stream.of())
            .distinct()
            .toList();
    return Stream.of(BlockTranslation.SENT, BlockTranslation.RECEIVED)
        .filter(changed::contains)
        .map(state -> new LaneFamily.State(state, Expr.of(1)))
        .toList();
  }

  /** The plan's name as one of a program, and all that distinguishes the variant from others. */
  private String name() {
    String name = plan.name().replaceAll("[^A-Za-z0-9_]", "_");
    String start = name.isEmpty() || Character.isDigit(name.charAt(0)) ? "_" + name : name;
    return "%s-%s-split-%d"
        .formatted(
            start.length() > MOST_NAME ? start.substring(0, MOST_NAME) : start,
            variant.inPlace() ? "in-place" : "out-of-place",
            variant.mostChunks());
  }
}
