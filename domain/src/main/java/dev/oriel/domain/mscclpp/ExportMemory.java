package dev.oriel.domain.mscclpp;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import dev.oriel.domain.mscclpp.LaneStep.Moved;
import dev.oriel.domain.mscclpp.LaneStep.Placed;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The places of a program's bytes in the chunks of a plan. A chunk is the largest size that divides
 * all places and lengths. Scratch holds first packets, then plain bytes:
 *
 * <pre>
 * chunk   0 .. P - 1                2P ..
 *         packets, of twice a       scratch of the program, then copies of packets
 *         chunk's bytes each        that are added
 * </pre>
 */
final class ExportMemory {
  private final Program program;
  private final PlanBuffer inOut;
  private final Map<String, Scratch> scratch = new TreeMap<>();
  private final long chunk;
  private final boolean doubled;
  private final int packetChunks;
  private final int programChunks;
  private final Map<Integer, Integer> temporaries = new TreeMap<>();

  /** The used part of a scratch buffer: its data bytes, as even launches use them. */
  private static final class Scratch {
    private final ExportedLane lane;
    private final Op op;
    private final Optional<PacketFormat> format;
    private final long shift;
    private long first;
    private long end;
    private long base;

    Scratch(ExportedLane lane, Op op, Placed placed) {
      this.lane = lane;
      this.op = op;
      this.format = placed.packets();
      this.shift = placed.offset().odd() - placed.offset().even();
      this.first = Long.MAX_VALUE;
    }
  }

  ExportMemory(Program program, List<ExportedLane> lanes, PlanBuffer inOut, MistakeList mistakes) {
    this.program = program;
    this.inOut = inOut;
    List<Long> sizes = new ArrayList<>();
    program.form().buffers().stream()
        .filter(buffer -> !buffer.isAlias() && buffer.space().callers())
        .forEach(buffer -> sizes.add(program.rank(0).bytes(buffer.name())));
    for (ExportedLane lane : lanes) {
      for (LaneStep step : lane.steps()) {
        if (step instanceof Moved moved) {
          sizes.add(moved.bytes());
          Stream.concat(moved.from().stream(), moved.to().stream())
              .forEach(placed -> mistakes.attempt(() -> use(lane, moved, placed, sizes)));
        }
      }
    }
    for (ExportedLane lane : lanes) {
      for (LaneStep step : lane.steps()) {
        if (step instanceof Moved moved) {
          Stream.concat(moved.from().stream(), moved.to().stream())
              .filter(placed -> scratch.containsKey(placed.buffer()))
              .forEach(placed -> sizes.add(data(placed) - of(placed).first));
        }
      }
    }
    chunk = sizes.stream().reduce(0L, ExportMemory::divisor);
    doubled = scratch.values().stream().anyMatch(each -> each.shift != 0);
    packetChunks = layOut(true, 0);
    programChunks = layOut(false, 2 * packetChunks);
    if (doubled) {
      scratch.values().stream()
          .filter(each -> each.format.isEmpty())
          .forEach(each ->
              mistakes.attempt(() -> {
                throw refused(
                    each.lane,
                    each.op,
                    "plain bytes in scratch whose halves take turns",
                    "",
                    "keep packets there only; the executor puts plain bytes into the first half in every launch");
              }));
    }
  }

  private static long divisor(long a, long b) {
    return b == 0 ? Math.abs(a) : divisor(b, a % b);
  }

  /** Chunks up to the end of the last one; buffers follow each other. */
  private int layOut(boolean packets, int from) {
    long next = from;
    for (Scratch each : scratch.values()) {
      if (each.format.isPresent() == packets && chunk > 0) {
        each.base = next;
        next += (each.end - each.first) / chunk;
      }
    }
    return (int) Math.min(next - from, Integer.MAX_VALUE / 8);
  }

  private void use(ExportedLane lane, Moved moved, Placed placed, List<Long> sizes) {
    Space space = program.form().buffer(placed.buffer()).orElseThrow().space();
    switch (space) {
      case INPUT, UNIFORM, OUTPUT, INOUT -> {
        if (!placed.plain()) {
          throw refused(
              lane, moved.op(), "packets in the caller's memory", "", "keep packets in scratch");
        }
        if (!placed.offset().alike()) {
          throw refused(
              lane,
              moved.op(),
              "place in the caller's memory that differs between launches",
              "buffer=" + placed.buffer(),
              "use the same in all launches");
        }
        sizes.add(placed.offset().even());
      }
      case SCRATCH -> scratch(lane, moved, placed);
      case WINDOW, SHARED ->
          throw refused(
              lane,
              moved.op(),
              "memory that execution plans have not",
              "buffer=%s, space=%s".formatted(placed.buffer(), space.spelling()),
              "use input, output and scratch");
    }
  }

  private void scratch(ExportedLane lane, Moved moved, Placed placed) {
    Scratch use =
        scratch.computeIfAbsent(placed.buffer(), b -> new Scratch(lane, moved.op(), placed));
    if (!use.format.equals(placed.packets())) {
      throw refused(
          lane,
          moved.op(),
          "scratch of packets and of other bytes",
          "buffer=" + placed.buffer(),
          "use a buffer for each");
    }
    if (use.shift != placed.offset().odd() - placed.offset().even()) {
      throw refused(
          lane,
          moved.op(),
          "places that move differently between even and odd launches",
          "buffer=" + placed.buffer(),
          "let all move by the same");
    }
    long at = data(placed);
    use.first = Math.min(use.first, at);
    use.end = Math.max(use.end, at + moved.bytes());
  }

  /** The data bytes before a place, in even launches. */
  private static long data(Placed placed) {
    long offset = placed.offset().even();
    return placed
        .packets()
        .map(format -> offset / format.bytes() * format.payload() + offset % format.bytes())
        .orElse(offset);
  }

  private Scratch of(Placed placed) {
    return Objects.requireNonNull(scratch.get(placed.buffer()));
  }

  /** Bytes of a chunk. */
  long chunk() {
    return chunk;
  }

  boolean doubled() {
    return doubled;
  }

  /** Whether any scratch holds packets. */
  boolean packets() {
    return packetChunks > 0;
  }

  int chunks(PlanBuffer buffer) {
    if (buffer == PlanBuffer.S) {
      int most = temporaries.values().stream().mapToInt(Integer::intValue).max().orElse(0);
      int plain = programChunks + most;
      return plain == 0 ? packetChunks : 2 * packetChunks + plain;
    }
    return program.form().buffers().stream()
        .filter(each -> !each.isAlias() && buffer(each.space()) == buffer)
        .mapToInt(each -> (int) (program.rank(0).bytes(each.name()) / chunk))
        .sum();
  }

  private PlanBuffer buffer(Space space) {
    return switch (space) {
      case INPUT, UNIFORM -> PlanBuffer.I;
      case OUTPUT -> PlanBuffer.O;
      case INOUT -> inOut;
      case WINDOW, SCRATCH, SHARED -> PlanBuffer.S;
    };
  }

  Place place(Placed placed, long bytes) {
    PlanBuffer buffer = buffer(program.form().buffer(placed.buffer()).orElseThrow().space());
    long index = placed.offset().even() / chunk;
    if (buffer == PlanBuffer.S) {
      Scratch use = of(placed);
      index = use.base + (data(placed) - use.first) / chunk;
    }
    return new Place(List.of(placed.rank()), false, buffer, (int) index, (int) (bytes / chunk));
  }

  /** Plain scratch of a rank that nothing else uses. */
  Place temporary(int rank, long bytes) {
    int size = (int) (bytes / chunk);
    int used = temporaries.merge(rank, size, Integer::sum);
    return new Place(
        List.of(rank), false, PlanBuffer.S, 2 * packetChunks + programChunks + used - size, size);
  }

  private static ProgramException refused(
      ExportedLane lane, Op op, String what, String facts, String remedy) {
    return new ProgramException(
        LaneUnrolling.mistake(lane.rank(), lane.label(), op, what, facts, remedy));
  }
}
