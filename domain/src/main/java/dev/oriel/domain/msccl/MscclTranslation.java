package dev.oriel.domain.msccl;

import dev.oriel.domain.msccl.MscclPlan.ThreadBlock;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.check.FormValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes the program of a plan. Block 5 of every gpu is lane {@code tb5}, in which each rank
 * executes its own steps.
 *
 * <p>Counters of connections release and acquire in the scope of the system; {@link FlagOrder} says
 * what flags between blocks do. A runtime executes the steps once for each piece of a large call;
 * pieces are disjoint bytes that pass the same slots in the same order. One piece thus shows every
 * deadlock and every race, and later launches pass the same slots again.
 */
public final class MscclTranslation {
  /** Characters of a program's name, and those of them that the plan's name may be. */
  private static final int MOST = 64;

  private static final int MOST_NAME = 40;

  private final MscclPlan plan;
  private final MscclVariant variant;
  private final FlagOrder flags;
  private final Optional<Long> bytes;
  private final PlanMemory memory;
  private final ConnectionMemory connections;

  /** More than the steps of any block. */
  private final long turns;

  private final RankLanes lanes = new RankLanes();

  private MscclTranslation(
      MscclPlan plan, MscclVariant variant, FlagOrder flags, int chunkBytes, Optional<Long> bytes) {
    this.plan = plan;
    this.variant = variant;
    this.flags = flags;
    this.bytes = bytes;
    this.memory = new PlanMemory(plan, variant, chunkBytes);
    this.connections = new ConnectionMemory(plan, variant, chunkBytes);
    this.turns = 1 + blocks().mapToLong(block -> block.steps().size()).max().orElse(0);
    int count = plan.gpus().stream().mapToInt(gpu -> gpu.blocks().size()).max().orElse(0);
    for (int id = 0; id < count; id++) {
      lanes(id);
    }
  }

  /** The program for that kind of call. */
  public static TranslatedPlan of(MscclPlan plan, MscclVariant variant, FlagOrder flags) {
    MscclTranslation made =
        new MscclTranslation(plan, variant, flags, PlanMemory.CHUNK, Optional.empty());
    return new TranslatedPlan(
        variant.words(),
        variant.inPlace(),
        variant.leastBytes(plan),
        FormValidator.validate(made.form()),
        made.lanes.steps());
  }

  /**
   * The program of a call of that size, with flags as intended: out of place, if the plan has such
   * calls.
   *
   * @param bytes of the collective's larger buffer
   * @throws ProgramException if the plan is not for that size, or a runtime would cut the call into
   *     pieces
   */
  public static Form sized(MscclPlan plan, long bytes) {
    int chunkBytes =
        CallSize.chunkBytes(
            bytes, plan.leastBytes(), plan.mostBytes(), plan.chunks(), PlanMemory.CHUNK);
    CallSize.requireOnePiece(
        bytes, chunkBytes <= plan.protocol().chunkBytes(1), "chunks larger than a slot");
    MscclVariant variant = MscclVariant.of(plan, bytes);
    return FormValidator.validate(
        new MscclTranslation(plan, variant, FlagOrder.INTENDED, chunkBytes, Optional.of(bytes))
            .form());
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
                  new BlockTranslation(memory, connections, block, variant, flags, turns);
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
        "%s-split-%d%s%s"
            .formatted(
                variant.inPlace() ? "in-place" : "out-of-place",
                variant.mostChunks(),
                bytes.map(size -> "-bytes-" + size).orElse(""),
                flags == FlagOrder.AS_WRITTEN ? "-as-written" : ""));
  }

  /** A plan's name as one of a program, and all that distinguishes the variant from others. */
  public static String programName(String plan, String variant) {
    String name = plan.replaceAll("[^A-Za-z0-9_]", "_");
    String start = name.isEmpty() || Character.isDigit(name.charAt(0)) ? "_" + name : name;
    int most = Math.min(MOST_NAME, MOST - 1 - variant.length());
    return "%s-%s".formatted(start.length() > most ? start.substring(0, most) : start, variant);
  }

  /** All that a check needs of the plan. */
  public static ImportedPlan imported(MscclPlan plan, FlagOrder flags) {
    boolean written = flags == FlagOrder.AS_WRITTEN;
    List<MscclDefect> defects = MscclDefects.of(plan);
    return new ImportedPlan(
        plan.name(),
        "%s, %d gpus, %s%s"
            .formatted(
                plan.collectiveName(),
                plan.world(),
                plan.protocol().spelling(),
                written ? ", as written" : ""),
        plan.world(),
        defects,
        MscclVariant.of(plan).stream().map(variant -> of(plan, variant, flags)).toList(),
        MscclVariant.all(plan).stream()
            .map(variant ->
                new SizeClass(
                    variant.inPlace(),
                    variant.leastBytes(plan),
                    variant.mostBytes(plan),
                    () -> of(plan, variant, flags)))
            .toList(),
        // The walk that follows additions relies on connections that match.
        defects.isEmpty() ? AdditionOrders.of(plan).map(AdditionOrders::words) : Optional.empty(),
        List.of(
            written
                ? "runtimes whose flags between blocks release and acquire (without --as-written)"
                : "flags between blocks as runtimes write them (--as-written)",
            "queues of another depth than %d".formatted(plan.protocol().slots())));
  }
}
