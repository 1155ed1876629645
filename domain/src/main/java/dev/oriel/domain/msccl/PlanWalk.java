package dev.oriel.domain.msccl;

import dev.oriel.domain.msccl.MscclPlan.Dependency;
import dev.oriel.domain.msccl.MscclPlan.Gpu;
import dev.oriel.domain.msccl.MscclPlan.Place;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.msccl.MscclPlan.Step;
import dev.oriel.domain.msccl.MscclPlan.ThreadBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One execution of a plan, which follows how the contents of each chunk were added up. A block only
 * waits for counts that one other block raises. So all executions without a race do the same at
 * each chunk, and one of them decides; races are found elsewhere. Connections have no bound here: a
 * bound only adds deadlocks.
 */
final class PlanWalk {
  private final MscclPlan plan;
  private final PlanMemory memory;
  private final SumTable sums = new SumTable();
  private final List<BlockProgress> blocks = new ArrayList<>();

  /**
   * For each gpu, how the contents of its chunks were added up; absent where nothing was written.
   */
  private final List<Map<CollectiveMemory.Chunk, Integer>> contents = new ArrayList<>();

  /** The transfers in each connection. */
  private final Map<List<Integer>, Deque<List<Integer>>> queued = new HashMap<>();

  /** The last announced step, by gpu and block. */
  private final Map<List<Integer>, Integer> announced = new HashMap<>();

  private Optional<MscclDefect> unwritten = Optional.empty();

  private PlanWalk(MscclPlan plan, MscclVariant variant) {
    this.plan = plan;
    memory = new PlanMemory(plan, variant);
    for (Gpu gpu : plan.gpus()) {
      Map<CollectiveMemory.Chunk, Integer> start = new HashMap<>();
      for (CollectiveMemory.Chunk chunk : memory.filled(gpu.id())) {
        start.put(chunk, sums.input(gpu.id(), chunk));
      }
      contents.add(start);
      gpu.blocks().forEach(block -> blocks.add(new BlockProgress(block)));
    }
  }

  /** A block and its next transfer. */
  private static final class BlockProgress {
    private final ThreadBlock block;
    private final List<FusedSteps> transfers;
    private int next;

    BlockProgress(ThreadBlock block) {
      this.block = block;
      this.transfers = FusedSteps.of(block);
    }

    boolean ended() {
      return next == transfers.size();
    }
  }

  /** The walk up to its end, to a deadlock, or to the first read of a chunk that nothing wrote. */
  static PlanWalk of(MscclPlan plan, MscclVariant variant) {
    PlanWalk walk = new PlanWalk(plan, variant);
    walk.run();
    return walk;
  }

  /** The first read of a chunk that nothing has written. */
  Optional<MscclDefect> unwritten() {
    return unwritten;
  }

  /** The sums in that chunk of the output, one for each gpu; empty if the walk stopped early. */
  List<Integer> results(int chunk) {
    if (unwritten.isPresent() || !blocks.stream().allMatch(BlockProgress::ended)) {
      return List.of();
    }
    Place place = new Place(PlanBuffer.O, chunk);
    return plan.gpus().stream()
        .flatMap(gpu ->
            Optional.ofNullable(contents.get(gpu.id()).get(memory.chunk(gpu.id(), place, 0)))
                .stream())
        .toList();
  }

  private void run() {
    boolean moved = true;
    while (moved && unwritten.isEmpty()) {
      moved = false;
      for (BlockProgress progress : blocks) {
        while (unwritten.isEmpty() && !progress.ended() && ready(progress)) {
          execute(progress.block, progress.transfers.get(progress.next));
          progress.next++;
          moved = true;
        }
      }
    }
  }

  private boolean ready(BlockProgress progress) {
    ThreadBlock block = progress.block;
    FusedSteps transfer = progress.transfers.get(progress.next);
    return transfer.dependencies().stream().allMatch(on -> reached(block.gpu(), on))
        && (!transfer.first().type().receives() || !incoming(block).isEmpty());
  }

  private boolean reached(int gpu, Dependency on) {
    return announced.getOrDefault(List.of(gpu, on.block()), -1) >= on.step();
  }

  private void execute(ThreadBlock block, FusedSteps transfer) {
    Step first = transfer.first();
    List<Integer> received = first.type().receives() ? incoming(block).remove() : List.of();
    List<Integer> made = new ArrayList<>();
    for (int k = 0; k < first.count() && unwritten.isEmpty(); k++) {
      Optional<Integer> sum = received.isEmpty() ? Optional.empty() : Optional.of(received.get(k));
      if (first.type() == StepType.RE) {
        sum = Optional.of(read(first, first.destination().orElseThrow(), k));
      }
      for (Step step : transfer.steps()) {
        if (step.source().isPresent()) {
          int source = read(step, step.source().get(), k);
          sum = Optional.of(sum.map(before -> sums.sum(before, source)).orElse(source));
        }
      }
      made.add(sum.orElseThrow());
    }
    if (unwritten.isPresent()) {
      return;
    }
    first
        .destination()
        .ifPresent(place -> {
          for (int k = 0; k < first.count(); k++) {
            contents.get(block.gpu()).put(memory.chunk(block.gpu(), place, k), made.get(k));
          }
        });
    if (first.type().sends()) {
      queue(block.gpu(), block.send(), block.channel()).add(made);
    }
    if (transfer.last().announced()) {
      announced.put(List.of(block.gpu(), block.id()), transfer.last().number());
    }
  }

  private Deque<List<Integer>> incoming(ThreadBlock block) {
    return queue(block.receive(), block.gpu(), block.channel());
  }

  private Deque<List<Integer>> queue(int from, int to, int channel) {
    return queued.computeIfAbsent(List.of(from, to, channel), connection -> new ArrayDeque<>());
  }

  /** The sum in that chunk; any if nothing has written it, which ends the walk. */
  private int read(Step step, Place place, int ahead) {
    Optional<Integer> found =
        Optional.ofNullable(contents.get(step.gpu()).get(memory.chunk(step.gpu(), place, ahead)));
    if (found.isEmpty() && unwritten.isEmpty()) {
      unwritten =
          Optional.of(
              new MscclDefect(
                  MscclDefect.Kind.UNWRITTEN,
                  "%s reads %s, which no step has written before."
                      .formatted(step.ids(), new Place(place.buffer(), place.offset() + ahead)),
                  List.of(MscclDefect.Location.of(step))));
    }
    return found.orElse(-1);
  }
}
