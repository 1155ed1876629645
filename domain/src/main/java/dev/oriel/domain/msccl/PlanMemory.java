package dev.oriel.domain.msccl;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.msccl.MscclPlan.Gpu;
import dev.oriel.domain.msccl.MscclPlan.Place;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.program.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The buffers of a plan and the collective's post-condition on them. A chunk is one element of 4
 * bytes: a step treats all elements of a chunk alike, so one shows what happens to each. Sums are
 * of integers, so their order does not count.
 *
 * <p>In place, input and output are one buffer {@code io}. The rank's own block of an all-gather's
 * output is then its input, and its own block of a reduce-scatter's input is its output.
 */
final class PlanMemory {
  static final int CHUNK = 4;

  /** Integers, since for those the order of additions does not change the result. */
  static final Combine SUM = new Combine.Reduce(ReduceOp.SUM, DataType.INT32, DataType.INT32);

  private static final String IN_PLACE = "io";

  private final MscclPlan plan;
  private final boolean inPlace;

  PlanMemory(MscclPlan plan, MscclVariant variant) {
    this.plan = plan;
    this.inPlace = variant.inPlace();
  }

  /** The buffers that the plan uses; ranks that declare different sizes all have the largest. */
  List<Buffer> buffers() {
    List<Buffer> buffers = new ArrayList<>();
    if (inPlace) {
      add(buffers, Space.INOUT, IN_PLACE, Math.max(size(PlanBuffer.I), size(PlanBuffer.O)));
    } else {
      Space source = writesInput(plan) ? Space.INOUT : Space.INPUT;
      add(buffers, source, PlanBuffer.I.spelling(), size(PlanBuffer.I));
      add(buffers, Space.OUTPUT, PlanBuffer.O.spelling(), size(PlanBuffer.O));
    }
    add(buffers, Space.SCRATCH, PlanBuffer.S.spelling(), size(PlanBuffer.S));
    return buffers;
  }

  private static void add(List<Buffer> buffers, Space space, String name, int chunks) {
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
    MscclCollective collective = plan.collective();
    if (buffer == PlanBuffer.S || collective == MscclCollective.CUSTOM) {
      return plan.gpus().stream().mapToInt((Gpu gpu) -> gpu.size(buffer)).max().orElse(0);
    }
    boolean block =
        buffer == PlanBuffer.I
            ? collective == MscclCollective.ALLGATHER
            : collective == MscclCollective.REDUCE_SCATTER;
    return block ? plan.blockChunks() : plan.chunks();
  }

  /** A chunk of a buffer of the program. */
  record Chunk(String buffer, int index) {}

  /** The place's chunk {@code ahead} places on, in the memory of that gpu. */
  Chunk chunk(int gpu, Place place, int ahead) {
    int index = place.offset() + ahead;
    if (!inPlace || place.buffer() == PlanBuffer.S) {
      return new Chunk(place.buffer().spelling(), index);
    }
    boolean own = place.buffer() == PlanBuffer.I ? ownInput() : ownOutput();
    return new Chunk(IN_PLACE, (own ? gpu * plan.blockChunks() : 0) + index);
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

  private boolean ownInput() {
    return inPlace && plan.collective() == MscclCollective.ALLGATHER;
  }

  private boolean ownOutput() {
    return inPlace && plan.collective() == MscclCollective.REDUCE_SCATTER;
  }

  /** The result of the collective; empty for a custom one. */
  Optional<Ensure> promise() {
    Expr peer = Expr.name("p");
    Expr block = Expr.of((long) plan.blockChunks() * CHUNK);
    Expr whole = bytes(plan.chunks());
    Region first = output(Expr.of(0));
    return switch (plan.collective()) {
      case ALLREDUCE -> Optional.of(sum(first, Expr.of(0), whole));
      case REDUCE ->
          // Only gpu 0 gets a result.
          Optional.of(
              sum(
                  first,
                  Expr.of(0),
                  Expr.of(1).minus(Expr.min(Expr.of(1), Expr.rank())).times(whole)));
      case REDUCE_SCATTER -> {
        Expr own = Expr.rank().times(block);
        yield Optional.of(sum(output(ownOutput() ? own : Expr.of(0)), own, block));
      }
      case ALLGATHER -> {
        Region from = input(ownInput() ? peer.times(block) : Expr.of(0)).at(peer);
        yield Optional.of(each(output(peer.times(block)), from, block));
      }
      case ALLTOALL ->
          Optional.of(
              each(output(peer.times(block)), input(Expr.rank().times(block)).at(peer), block));
      case BROADCAST ->
          Optional.of(Ensure.copy(List.of(), first, input(Expr.of(0)).at(Expr.of(0)), whole));
      case CUSTOM -> Optional.empty();
    };
  }

  private Region input(Expr offset) {
    return Region.of(inPlace ? IN_PLACE : PlanBuffer.I.spelling(), offset);
  }

  private Region output(Expr offset) {
    return Region.of(inPlace ? IN_PLACE : PlanBuffer.O.spelling(), offset);
  }

  private static Ensure each(Region actual, Region expected, Expr bytes) {
    return Ensure.copy(List.of(new EnsureBinder.Rank("p", Peers.ALL)), actual, expected, bytes);
  }

  private Ensure sum(Region actual, Expr offset, Expr bytes) {
    SourceSeries all = new SourceSeries("p", Expr.world(), input(offset).at(Expr.name("p")));
    return new Ensure(List.of(), actual, SUM, Grouping.ANY, List.of(all), bytes);
  }

  static Expr bytes(long chunks) {
    return Expr.of(chunks * CHUNK);
  }
}
