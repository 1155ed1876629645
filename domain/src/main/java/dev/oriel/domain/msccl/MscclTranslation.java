package dev.oriel.domain.msccl;

import dev.oriel.domain.msccl.MscclPlan.ThreadBlock;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.check.FormValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
  /** Characters of the plan's name: a program's name has at most 64, with what is added. */
  private static final int MOST_NAME = 40;

  private final MscclPlan plan;
  private final MscclVariant variant;
  private final PlanMemory memory;
  private final ConnectionMemory connections;

  /** More than the steps of any block. */
  private final long turns;

  private final RankLanes lanes = new RankLanes();

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
    return new TranslatedPlan(
        variant.words(),
        variant.inPlace(),
        FormValidator.validate(made.form()),
        made.lanes.steps());
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
        lanes.lanes());
  }

  /** The lanes of all blocks with that id. */
  private void lanes(int id) {
    lanes.add(
        "tb" + id,
        blocks()
            .filter(block -> block.id() == id && !block.steps().isEmpty())
            .map(block -> {
              BlockTranslation made =
                  new BlockTranslation(memory, connections, block, variant, turns);
              // Steps without any effect are a part of the program all the same.
              return new RankLanes.Part(
                  block.gpu(),
                  made.ops(),
                  made.ops().isEmpty() ? List.of(block.steps().getFirst()) : made.steps());
            })
            .toList());
  }

  private String name() {
    return programName(
        plan.name(),
        "%s-split-%d"
            .formatted(variant.inPlace() ? "in-place" : "out-of-place", variant.mostChunks()));
  }

  /** A plan's name as one of a program, and all that distinguishes the variant from others. */
  public static String programName(String plan, String variant) {
    String name = plan.replaceAll("[^A-Za-z0-9_]", "_");
    String start = name.isEmpty() || Character.isDigit(name.charAt(0)) ? "_" + name : name;
    return "%s-%s"
        .formatted(start.length() > MOST_NAME ? start.substring(0, MOST_NAME) : start, variant);
  }

  /** All that a check needs of the plan. */
  public static ImportedPlan imported(MscclPlan plan) {
    return new ImportedPlan(
        plan.name(),
        "%s, %d gpus, %s"
            .formatted(plan.collectiveName(), plan.world(), plan.protocol().spelling()),
        plan.world(),
        MscclDefects.of(plan),
        MscclVariant.of(plan).stream().map(variant -> of(plan, variant)).toList(),
        AdditionOrders.of(plan).map(AdditionOrders::words),
        List.of(
            "flags between blocks as runtimes write them (here they release and acquire)",
            "queues of another depth than %d".formatted(plan.protocol().slots())));
  }
}
