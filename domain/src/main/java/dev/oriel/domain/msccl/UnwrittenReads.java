package dev.oriel.domain.msccl;

import dev.oriel.domain.msccl.MscclPlan.Dependency;
import dev.oriel.domain.msccl.MscclPlan.Gpu;
import dev.oriel.domain.msccl.MscclPlan.Place;
import dev.oriel.domain.msccl.MscclPlan.Step;
import dev.oriel.domain.msccl.MscclPlan.ThreadBlock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads of chunks that nothing has written, by one execution of a plan. A block only waits for
 * counts that one other block raises. So all executions without a race do the same at each chunk,
 * and one of them decides; races are found elsewhere. Connections have no bound here: a bound only
 * adds deadlocks.
 */
final class UnwrittenReads {
  private final PlanMemory memory;
  private final List<BlockProgress> blocks = new ArrayList<>();

  /** The chunks of each gpu that hold something. */
  private final List<Set<PlanMemory.Chunk>> written = new ArrayList<>();

  /** The transfers that a connection holds. */
  private final Map<List<Integer>, Integer> queued = new HashMap<>();

  /** The last announced step, by gpu and block. */
  private final Map<List<Integer>, Integer> announced = new HashMap<>();

  private UnwrittenReads(MscclPlan plan, MscclVariant variant) {
    memory = new PlanMemory(plan, variant);
    for (Gpu gpu : plan.gpus()) {
      written.add(new HashSet<>(memory.filled(gpu.id())));
      gpu.blocks().forEach(block -> blocks.add(new BlockProgress(block)));
    }
  }

  /** A block and its next transfer. */
  private static final class BlockProgress {
    private final ThreadBlock block;
    private final List<Transfer> transfers;
    private int next;

    BlockProgress(ThreadBlock block) {
      this.block = block;
      this.transfers = Transfer.of(block);
    }
  }

  /** The first such read; a plan that stops early reads nothing from there on. */
  static Optional<MscclDefect> of(MscclPlan plan, MscclVariant variant) {
    return new UnwrittenReads(plan, variant).run();
  }

  private Optional<MscclDefect> run() {
    boolean moved = true;
    while (moved) {
      moved = false;
      for (BlockProgress progress : blocks) {
        while (progress.next < progress.transfers.size() && ready(progress)) {
          Optional<MscclDefect> defect = execute(progress);
          if (defect.isPresent()) {
            return defect;
          }
          progress.next++;
          moved = true;
        }
      }
    }
    return Optional.empty();
  }

  private boolean ready(BlockProgress progress) {
    ThreadBlock block = progress.block;
    Transfer transfer = progress.transfers.get(progress.next);
    return transfer.dependencies().stream().allMatch(on -> reached(block.gpu(), on))
        && (!transfer.first().type().receives() || queued.getOrDefault(incoming(block), 0) > 0);
  }

  private boolean reached(int gpu, Dependency on) {
    return announced.getOrDefault(List.of(gpu, on.block()), -1) >= on.step();
  }

  private Optional<MscclDefect> execute(BlockProgress progress) {
    ThreadBlock block = progress.block;
    Transfer transfer = progress.transfers.get(progress.next);
    for (Step step : transfer.steps()) {
      Optional<MscclDefect> defect =
          step.source()
              .flatMap(place -> unwritten(step, place))
              .or(() ->
                  step.type() == StepType.RE
                      ? step.destination().flatMap(place -> unwritten(step, place))
                      : Optional.empty());
      if (defect.isPresent()) {
        return defect;
      }
    }
    Step step = transfer.first();
    step.destination()
        .ifPresent(place -> {
          for (int k = 0; k < step.count(); k++) {
            written.get(block.gpu()).add(memory.chunk(block.gpu(), place, k));
          }
        });
    if (step.type().receives()) {
      queued.merge(incoming(block), -1, Integer::sum);
    }
    if (step.type().sends()) {
      queued.merge(List.of(block.gpu(), block.send(), block.channel()), 1, Integer::sum);
    }
    if (transfer.last().announced()) {
      announced.put(List.of(block.gpu(), block.id()), transfer.last().number());
    }
    return Optional.empty();
  }

  private static List<Integer> incoming(ThreadBlock block) {
    return List.of(block.receive(), block.gpu(), block.channel());
  }

  private Optional<MscclDefect> unwritten(Step step, Place place) {
    for (int k = 0; k < step.count(); k++) {
      if (!written.get(step.gpu()).contains(memory.chunk(step.gpu(), place, k))) {
        return Optional.of(
            new MscclDefect(
                MscclDefect.Kind.UNWRITTEN,
                "%s reads %s, which no step has written before."
                    .formatted(step.ids(), new Place(place.buffer(), place.offset() + k)),
                List.of(MscclDefect.Location.of(step))));
      }
    }
    return Optional.empty();
  }
}
