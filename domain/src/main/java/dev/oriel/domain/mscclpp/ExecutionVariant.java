package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.CallSize;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Turns;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Sizes of calls that behave alike. A unit is what no split divides, {@code buffer_alignment} bytes
 * in the file and {@link #UNIT} in the program of a check.
 *
 * @param units the units of a chunk
 * @param turnUnits the units of one turn of a pipeline
 * @param scratchUnits the units after which pipelines use the same part of a scratch chunk again
 * @param turns the turns of the longest pipeline; 0 if there is none
 * @param unitBytes bytes of a unit in the program
 */
record ExecutionVariant(int units, int turnUnits, int scratchUnits, int turns, int unitBytes) {
  /** Bytes of a unit in the program of a check: one packet carries so many. */
  static final int UNIT = 4;

  /** Turns that show how a pipeline passes scratch and semaphores again. */
  static final int MOST_TURNS = 128;

  /** Bytes of scratch that plans with {@code reuse_resources} share. */
  static final long SHARED_SCRATCH = 1L << 26;

  private static final int UNITS_IN_TURN = 2;

  private ExecutionVariant(int units, int turnUnits, int scratchUnits, int turns) {
    this(units, turnUnits, scratchUnits, turns, UNIT);
  }

  /**
   * Calls of that size alone.
   *
   * @param bytes of the collective's larger buffer
   * @throws ProgramException if the plan is not for that size, or its pipelines take several turns
   */
  static ExecutionVariant of(ExecutionPlan plan, long bytes) {
    int alignment = plan.alignment();
    int units =
        CallSize.chunkBytes(bytes, plan.leastBytes(), plan.mostBytes(), plan.chunks(), alignment)
            / alignment;
    List<Operation> pipelines = pipelines(plan).toList();
    CallSize.requireOnePiece(
        bytes,
        pipelines.stream().allMatch(each -> turns(plan, each, units) == 1),
        "pipelines of several turns");
    return new ExecutionVariant(
        units, Integer.MAX_VALUE, units, pipelines.isEmpty() ? 0 : 1, alignment);
  }

  /**
   * The sizes that decide a plan for its window. Where groups of blocks share the bytes of a chunk,
   * the smallest size leaves some without any, and others leave unequal shares. Pipelines turn once
   * for the smallest size. For large ones they turn often enough to exhaust each semaphore's start
   * value and to come to the same scratch again.
   */
  static List<ExecutionVariant> of(ExecutionPlan plan) {
    long cut = (long) plan.alignment() * plan.chunks();
    long least = Math.max(1, Math.ceilDiv(plan.leastBytes(), cut));
    long most = plan.mostBytes() / cut;
    if (most < least) {
      return List.of();
    }
    Set<ExecutionVariant> variants = new LinkedHashSet<>();
    int parts = plan.operations().mapToInt(each -> each.share().parts()).max().orElse(1);
    List<Operation> pipelines = pipelines(plan).toList();
    for (int units : List.of(1, parts, parts + parts / 2, 2 * parts - 1)) {
      // More units than the smallest size has share as a larger size does.
      boolean shared = units >= least || units >= parts;
      boolean once =
          pipelines.stream().allMatch(each -> turns(plan, each, Math.max(units, least)) == 1);
      if (shared && units <= most && once) {
        variants.add(
            new ExecutionVariant(units, Integer.MAX_VALUE, units, pipelines.isEmpty() ? 0 : 1));
      }
    }
    if (!pipelines.isEmpty()) {
      large(plan, pipelines, most, variants);
    }
    return new ArrayList<>(variants);
  }

  private static void large(
      ExecutionPlan plan, List<Operation> pipelines, long most, Set<ExecutionVariant> into) {
    Operation longest =
        pipelines.stream()
            .max((a, b) -> Long.compare(turns(plan, a, 1 << 20), turns(plan, b, 1 << 20)))
            .orElseThrow();
    int shown = (int) Math.min(shown(plan), turns(plan, longest, most));
    if (shown < 2) {
      return;
    }
    int chunks = turns(longest).chunks();
    // The last turn is shorter than the others.
    int units = Math.max(1, ((shown - 1) * UNITS_IN_TURN + 1) / chunks);
    int again =
        plan.reused() ? (int) Math.min(again(plan) * UNITS_IN_TURN, Integer.MAX_VALUE / 2) : units;
    into.add(new ExecutionVariant(units, UNITS_IN_TURN, Math.min(units, again), shown));
  }

  /** Turns that show what more of them would show. */
  static long shown(ExecutionPlan plan) {
    long start =
        plan.gpus().stream()
            .flatMap(gpu -> gpu.semaphores().stream())
            .mapToInt(Integer::intValue)
            .max()
            .orElse(0);
    return Math.max(3, 2 + Math.max(start, plan.reused() ? again(plan) : 0));
  }

  /** Turns after which pipelines come to the same scratch again. */
  static long again(ExecutionPlan plan) {
    long unit =
        pipelines(plan).mapToLong(each -> turns(each).unitBytes()).max().orElse(Long.MAX_VALUE);
    return scratchChunk(plan) / unit;
  }

  /** Bytes of a chunk of shared scratch; 0 if the plan uses none. */
  static long scratchChunk(ExecutionPlan plan) {
    int chunks = plan.gpus().stream().mapToInt(gpu -> gpu.size(PlanBuffer.S)).max().orElse(0);
    long half = plan.doubleScratch() ? SHARED_SCRATCH / 2 : SHARED_SCRATCH;
    return chunks == 0 ? 0 : Math.ceilDiv(half / chunks, plan.alignment()) * plan.alignment();
  }

  static Stream<Operation> pipelines(ExecutionPlan plan) {
    return plan.blocks()
        .flatMap(block -> block.operations().stream())
        .filter(each -> each.type() == OperationType.PIPELINE);
  }

  /** The turns of a pipeline in a call with so many units in a chunk. */
  private static long turns(ExecutionPlan plan, Operation pipeline, long units) {
    Turns of = turns(pipeline);
    double bytes = (double) units * plan.alignment() * of.chunks();
    return (long) Math.min(Math.ceil(bytes / of.unitBytes()), Integer.MAX_VALUE);
  }

  private static Turns turns(Operation pipeline) {
    return pipeline.turns().orElseThrow();
  }

  /** The turns of a pipeline over so many chunks. */
  int turnsOf(int chunks) {
    return turnUnits == Integer.MAX_VALUE ? 1 : Math.ceilDiv(chunks * units, turnUnits);
  }

  /** The smallest size of a call that behaves so. */
  long leastBytes(ExecutionPlan plan) {
    long cut = (long) plan.alignment() * plan.chunks();
    long least = Math.max(1, Math.ceilDiv(plan.leastBytes(), cut));
    if (turns > 1) {
      // One turn more than all but the last can carry.
      long before =
          pipelines(plan)
              .mapToLong(each ->
                  (turns - 1)
                      * turns(each).unitBytes()
                      / ((long) plan.alignment() * turns(each).chunks()))
              .min()
              .orElse(0);
      return Math.max(least, before + 1) * cut;
    }
    int parts = plan.operations().mapToInt(each -> each.share().parts()).max().orElse(1);
    long more = Math.max(0, Math.ceilDiv(least - units, (long) parts));
    return (units + more * parts) * cut;
  }

  /** The sizes in words, for a person. */
  String words(ExecutionPlan plan) {
    return "%s, chunks of %s%s"
        .formatted(
            plan.inPlace() ? "in place" : "out of place",
            turns > 1 ? "many units" : "%d x %d bytes".formatted(units, plan.alignment()),
            turns > 0 ? ", pipelines of %d turns".formatted(turns) : "");
  }
}
