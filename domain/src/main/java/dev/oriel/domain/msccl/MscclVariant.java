package dev.oriel.domain.msccl;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A kind of call for which a runtime executes a plan. The size of a call matters only for {@code
 * mostChunks}, since chunks that a plan names differ in their place alone.
 *
 * @param inPlace whether input and output are one buffer
 * @param mostChunks the most chunks of one transfer: a step with more is split
 */
public record MscclVariant(boolean inPlace, int mostChunks) {

  /**
   * The kinds of calls that decide a plan for all sizes of its window: each place that it allows,
   * with the coarsest and the finest split. A finer split fills more slots, so it may deadlock
   * where a coarser one does not. A coarser one has fewer waits for free slots, so it may race
   * where a finer one does not. Splits in between show nothing that neither end shows.
   */
  public static List<MscclVariant> of(MscclPlan plan) {
    Set<Integer> splits = new LinkedHashSet<>();
    splits.add(split(plan, plan.leastBytes()));
    splits.add(split(plan, plan.mostBytes()));
    return of(plan, splits);
  }

  /** The kinds of calls with every split of the window, the smallest sizes first. */
  static List<MscclVariant> all(MscclPlan plan) {
    Set<Integer> splits = new LinkedHashSet<>();
    int last = split(plan, plan.mostBytes());
    for (int split = split(plan, plan.leastBytes()); split >= last; split--) {
      if (new MscclVariant(false, split).leastBytes(plan) <= plan.mostBytes()) {
        splits.add(split);
      }
    }
    return of(plan, splits);
  }

  private static List<MscclVariant> of(MscclPlan plan, Set<Integer> splits) {
    List<MscclVariant> variants = new ArrayList<>();
    for (int split : splits) {
      // Nobody knows in which way the buffers of a custom collective would be one.
      boolean custom = plan.collective() == MscclCollective.CUSTOM;
      if (plan.outOfPlace() || custom) {
        variants.add(new MscclVariant(false, split));
      }
      if (plan.inPlace() && !custom) {
        variants.add(new MscclVariant(true, split));
      }
    }
    return variants;
  }

  /** The kind of a call of that size, out of place if the plan allows both. */
  static MscclVariant of(MscclPlan plan, long bytes) {
    return of(plan, Set.of(split(plan, bytes))).getFirst();
  }

  /** The smallest size of the window with this split. */
  long leastBytes(MscclPlan plan) {
    boolean first = mostChunks == split(plan, plan.leastBytes());
    return first
        ? plan.leastBytes()
        : 1 + plan.chunks() * plan.protocol().chunkBytes(mostChunks + 1);
  }

  /** The largest size of the window with this split. */
  long mostBytes(MscclPlan plan) {
    boolean last = mostChunks == split(plan, plan.mostBytes());
    return last ? plan.mostBytes() : plan.chunks() * plan.protocol().chunkBytes(mostChunks);
  }

  /** The most chunks of a transfer in a call of that size, as far as a step has so many. */
  private static int split(MscclPlan plan, long bytes) {
    long chunkBytes = Math.ceilDiv(bytes, plan.chunks());
    return Math.min(plan.protocol().mostChunks(chunkBytes), largest(plan));
  }

  private static int largest(MscclPlan plan) {
    return plan.gpus().stream()
        .flatMap(gpu -> gpu.blocks().stream())
        .flatMap(block -> block.steps().stream())
        .filter(step -> step.type().sends() || step.type().receives())
        .mapToInt(MscclPlan.Step::count)
        .max()
        .orElse(1);
  }

  /** The variant in words, for a person. */
  public String words() {
    return "%s, at most %d %s a transfer"
        .formatted(
            inPlace ? "in place" : "out of place",
            mostChunks,
            mostChunks == 1 ? "chunk" : "chunks");
  }
}
