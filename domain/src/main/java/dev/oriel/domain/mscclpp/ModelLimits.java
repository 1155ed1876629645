package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.mscclpp.ExecutionPlan.Block;
import dev.oriel.domain.mscclpp.ExecutionPlan.Gpu;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import dev.oriel.domain.mscclpp.ExecutionPlan.Turns;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Counts uses of operations that have no model, although each operation alone has one. */
final class ModelLimits {
  private final UnsupportedOperations unsupported;

  private ModelLimits(UnsupportedOperations unsupported) {
    this.unsupported = unsupported;
  }

  static void check(ExecutionPlan plan, UnsupportedOperations unsupported) {
    ModelLimits limits = new ModelLimits(unsupported);
    plan.gpus().forEach(limits::shared);
    limits.pipelines(plan);
  }

  private void shared(Gpu gpu) {
    Map<String, Block> owners = new HashMap<>();
    for (Block block : gpu.blocks()) {
      for (Operation of : block.operations().stream().flatMap(Operation::all).toList()) {
        if (of.type() == OperationType.SEM_ACQUIRE) {
          for (int id : of.semaphores()) {
            own(owners, "semaphore " + id, block, of, "sem_acquire in several blocks");
          }
        }
        boolean posts = of.isPort() && of.type() != OperationType.WAIT;
        if (posts) {
          of.channels()
              .forEach(channel ->
                  own(
                      owners,
                      "port " + channel.id(),
                      block,
                      of,
                      of.type().spelling() + " on a port channel of several blocks"));
        }
      }
    }
  }

  private void own(Map<String, Block> owners, String what, Block block, Operation of, String name) {
    Block owner = owners.putIfAbsent(what, block);
    if (owner != null && !owner.equals(block)) {
      unsupported.add(name, of.at());
    }
  }

  private void pipelines(ExecutionPlan plan) {
    long unit = 0;
    for (Operation pipeline : ExecutionVariant.pipelines(plan).toList()) {
      Turns turns = pipeline.turns().orElseThrow();
      if (unit != 0 && turns.unitBytes() != unit) {
        unsupported.add("pipelines of different units", pipeline.at());
      }
      unit = turns.unitBytes();
      if (unit % plan.alignment() != 0) {
        unsupported.add("pipeline whose unit buffer_alignment does not divide", pipeline.at());
      }
      pipeline.inner().forEach(each -> inner(each, turns));
      boolean scratch =
          plan.reused() && places(pipeline).anyMatch(place -> place.buffer() == PlanBuffer.S);
      if (scratch && ExecutionVariant.scratchChunk(plan) % unit != 0) {
        unsupported.add(
            "pipeline whose unit a chunk of reused scratch does not hold", pipeline.at());
      }
      if (ExecutionVariant.shown(plan) > ExecutionVariant.MOST_TURNS) {
        unsupported.add(
            "pipeline that shows all it does only in more than %d turns"
                .formatted(ExecutionVariant.MOST_TURNS),
            pipeline.at());
      }
    }
  }

  /** The executor moves a whole unit in turns that are past the end of an operation's bytes. */
  private void inner(Operation of, Turns turns) {
    if (!of.type().moves()) {
      return;
    }
    if (of.share().parts() > 1) {
      unsupported.add(of.type().spelling() + " with tbg_info in a pipeline", of.at());
    }
    if (of.sources().getFirst().size() < turns.chunks()) {
      unsupported.add(of.type().spelling() + " of fewer chunks than its pipeline", of.at());
    }
  }

  private static Stream<Place> places(Operation pipeline) {
    return pipeline.inner().stream()
        .flatMap(each -> Stream.concat(each.sources().stream(), each.destinations().stream()));
  }
}
