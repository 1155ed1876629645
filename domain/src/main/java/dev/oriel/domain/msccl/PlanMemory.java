package dev.oriel.domain.msccl;

import dev.oriel.domain.msccl.CollectiveMemory.Chunk;
import dev.oriel.domain.msccl.MscclPlan.Gpu;
import dev.oriel.domain.msccl.MscclPlan.Place;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The buffers of a plan. A check has chunks of one element: a step treats all elements of a chunk
 * alike, so one shows what happens to each.
 */
final class PlanMemory {
  /** Bytes of an element, and of a chunk in a check. */
  static final int CHUNK = 4;

  private final MscclPlan plan;
  private final CollectiveMemory memory;

  PlanMemory(MscclPlan plan, MscclVariant variant) {
    this(plan, variant, CHUNK);
  }

  PlanMemory(MscclPlan plan, MscclVariant variant, int chunkBytes) {
    this.plan = plan;
    this.memory =
        new CollectiveMemory(
            plan.collective(), plan.world(), plan.chunks(), variant.inPlace(), chunkBytes);
  }

  /** The buffers that the plan uses; ranks that declare different sizes all have the largest. */
  List<Buffer> buffers() {
    List<Buffer> buffers = new ArrayList<>();
    if (memory.inPlace()) {
      add(
          buffers,
          Space.INOUT,
          CollectiveMemory.IN_PLACE,
          Math.max(size(PlanBuffer.I), size(PlanBuffer.O)));
    } else {
      Space source = writesInput(plan) ? Space.INOUT : Space.INPUT;
      add(buffers, source, PlanBuffer.I.spelling(), size(PlanBuffer.I));
      add(buffers, Space.OUTPUT, PlanBuffer.O.spelling(), size(PlanBuffer.O));
    }
    add(buffers, Space.SCRATCH, PlanBuffer.S.spelling(), size(PlanBuffer.S));
    return buffers;
  }

  private void add(List<Buffer> buffers, Space space, String name, int chunks) {
    if (chunks > 0) {
      buffers.add(new Buffer(space, name, bytes(chunks)));
    }
  }

  static boolean writesInput(MscclPlan plan) {
    return plan.gpus().stream()
        .flatMap(gpu -> gpu.blocks().stream())
        .flatMap(block -> block.steps().stream())
        .flatMap(step -> step.destination().stream())
        .anyMatch(place -> place.buffer() == PlanBuffer.I);
  }

  /** What the collective needs, and for custom plans what the file declares. */
  private int size(PlanBuffer buffer) {
    if (buffer == PlanBuffer.S || plan.collective() == MscclCollective.CUSTOM) {
      return plan.gpus().stream().mapToInt((Gpu gpu) -> gpu.size(buffer)).max().orElse(0);
    }
    return memory.size(buffer);
  }

  /** The place's chunk {@code ahead} places on, in the memory of that gpu. */
  Chunk chunk(int gpu, Place place, int ahead) {
    return memory.chunk(gpu, place.buffer(), place.offset() + ahead);
  }

  /** The same as a region, from that chunk on. */
  Region region(int gpu, Place place, int ahead) {
    Chunk chunk = chunk(gpu, place, ahead);
    return Region.of(chunk.buffer(), bytes(chunk.index()));
  }

  /** The chunks that the caller of that gpu fills. */
  List<Chunk> filled(int gpu) {
    Place first = new Place(PlanBuffer.I, 0);
    return IntStream.range(0, size(PlanBuffer.I)).mapToObj(k -> chunk(gpu, first, k)).toList();
  }

  /** The result of the collective; empty for a custom one. */
  Optional<Ensure> promise() {
    return memory.promise();
  }

  Expr bytes(long chunks) {
    return memory.bytes(chunks);
  }
}
