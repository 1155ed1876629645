package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.CollectiveMemory;
import dev.oriel.domain.msccl.MscclCollective;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.mscclpp.ExecutionPlan.Gpu;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The buffers of a plan, and the bytes of its places. Packets take twice the bytes of their data,
 * from twice the offset on. With a double scratch buffer, launches take its halves in turns.
 */
final class ExecutionMemory {
  private final ExecutionPlan plan;
  private final ExecutionVariant variant;
  private final LaunchFlags flags;
  private final CollectiveMemory memory;

  ExecutionMemory(ExecutionPlan plan, ExecutionVariant variant) {
    this(plan, variant, LaunchFlags.COUNTED);
  }

  ExecutionMemory(ExecutionPlan plan, ExecutionVariant variant, LaunchFlags flags) {
    this.plan = plan;
    this.variant = variant;
    this.flags = flags;
    this.memory =
        new CollectiveMemory(
            plan.collective(),
            plan.world(),
            plan.chunks(),
            plan.inPlace() && plan.collective() != MscclCollective.CUSTOM,
            variant.units() * variant.unitBytes());
  }

  /**
   * The bytes of a place that an operation uses in a turn.
   *
   * @param offset the first byte, in the first half of scratch
   * @param bytes their number; packets count as their data
   */
  record Span(String buffer, long offset, long bytes, boolean packets, boolean scratch) {
    /** The byte after the last one. */
    long end() {
      return offset + (packets ? PacketFormat.PKT8.image(bytes) : bytes);
    }
  }

  List<Buffer> buffers() {
    List<Buffer> buffers = new ArrayList<>();
    long chunk = (long) variant.units() * variant.unitBytes();
    if (memory.inPlace()) {
      long most = Math.max(size(PlanBuffer.I), size(PlanBuffer.O));
      add(buffers, Space.INOUT, CollectiveMemory.IN_PLACE, most * chunk);
    } else {
      boolean written =
          plan.operations()
              .flatMap(each -> each.destinations().stream())
              .anyMatch(place -> place.buffer() == PlanBuffer.I);
      Space source = written ? Space.INOUT : Space.INPUT;
      add(buffers, source, PlanBuffer.I.spelling(), size(PlanBuffer.I) * chunk);
      add(buffers, Space.OUTPUT, PlanBuffer.O.spelling(), size(PlanBuffer.O) * chunk);
    }
    long scratch = plan.gpus().stream().mapToLong(this::half).max().orElse(0);
    add(
        buffers,
        Space.SCRATCH,
        PlanBuffer.S.spelling(),
        plan.doubleScratch() ? 2 * scratch : scratch);
    return buffers;
  }

  private static void add(List<Buffer> buffers, Space space, String name, long bytes) {
    if (bytes > 0) {
      buffers.add(new Buffer(space, name, Expr.of(bytes)));
    }
  }

  private int size(PlanBuffer buffer) {
    int declared = plan.gpus().stream().mapToInt(gpu -> gpu.size(buffer)).max().orElse(0);
    return plan.collective() == MscclCollective.CUSTOM
        ? declared
        : Math.max(declared, memory.size(buffer));
  }

  /** Bytes of the scratch that one launch of a gpu uses. */
  private long half(Gpu gpu) {
    long units = (long) gpu.scratch() * variant.scratchUnits();
    return units * variant.unitBytes() * (plan.packets() ? 2 : 1);
  }

  Optional<Ensure> promise() {
    return memory.promise();
  }

  /** The bytes of a place in a turn; none if there are none. */
  Optional<Span> span(Operation of, Place place, int rank, boolean packets, int turn) {
    long units = (long) place.size() * variant.units();
    long begin = cut(units, of.share().part(), of.share().parts());
    long length = cut(units, of.share().part() + 1, of.share().parts()) - begin;
    long ahead = turn == 0 ? 0 : (long) turn * variant.turnUnits();
    length = Math.min(length - ahead, variant.turnUnits());
    if (length <= 0) {
      return Optional.empty();
    }
    boolean scratch = place.buffer() == PlanBuffer.S;
    long at;
    String buffer;
    if (scratch) {
      buffer = place.buffer().spelling();
      at = (long) place.index() * variant.scratchUnits() + begin + ahead % variant.scratchUnits();
    } else {
      CollectiveMemory.Chunk chunk = memory.chunk(rank, place.buffer(), place.index());
      buffer = chunk.buffer();
      at = (long) chunk.index() * variant.units() + begin + ahead;
    }
    long unit = variant.unitBytes();
    return Optional.of(
        new Span(buffer, at * unit * (packets ? 2 : 1), length * unit, packets, scratch));
  }

  /** Where part {@code k} of so many units begins: the first parts get what remains. */
  private static long cut(long units, int k, int parts) {
    return k * (units / parts) + Math.min(k, units % parts);
  }

  /**
   * The same as a region of that rank. The executor takes the half of a peer's scratch by the size
   * of its own.
   */
  Region region(int gpu, int rank, Span span) {
    Expr offset = Expr.of(span.offset);
    if (span.scratch && plan.doubleScratch()) {
      Expr half = flags.number().mod(Expr.of(2)).times(half(plan.gpus().get(gpu)));
      offset = half.plus(span.offset);
    }
    Region own = Region.of(span.buffer, offset);
    Region region = rank == gpu ? own : own.at(Expr.of(rank));
    // A flag that an earlier launch left is no sign, so stale packets are as plain bytes.
    return span.packets && !flags.stale(plan.doubleScratch())
        ? region.packets(PacketFormat.PKT8, Expr.nz32(flags.number()))
        : region;
  }
}
