package dev.oriel.domain.mscclpp;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.msccl.MscclCollective;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.mscclpp.ExecutionPlan.Block;
import dev.oriel.domain.mscclpp.ExecutionPlan.Gpu;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.TextPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A program as an execution plan of MSCCL++. Every lane becomes a thread block; a signal becomes a
 * count of a channel. The plan orders at least what the program orders, and never less.
 *
 * @param threads the threads of each block
 * @param connected for each gpu the peers of its channels, in the order of their ids
 */
public record ExportedPlan(ExecutionPlan plan, int threads, List<List<Integer>> connected) {
  /** Bytes of a chunk are a multiple of this, since the executor moves so many at once. */
  static final int ALIGNMENT = 16;

  private static final int MOST_THREADS = 1024;

  public ExportedPlan {
    connected = connected.stream().map(List::copyOf).toList();
  }

  /**
   * The plan of a program for the size to which it is bound.
   *
   * @throws ProgramException naming each operation that no operation of a plan says
   */
  public static ExportedPlan of(Program program) {
    MistakeList mistakes = new MistakeList(mistake -> List.of(mistake.parts(), mistake.what()));
    if (program.world() < 2 || program.world() > ExecutionPlanReader.MOST_GPUS) {
      throw new ProgramException(
          "world that an execution plan has not: ranks=%d, min=2, max=%d; give another --world"
              .formatted(program.world(), ExecutionPlanReader.MOST_GPUS));
    }
    Buffer input = only(program, Space::filled, "input");
    Buffer output = only(program, Space::taken, "output");
    boolean inPlace = input.equals(output);
    PromisedCollective promised =
        PromisedCollective.of(program, input.name(), output.name())
            .orElseThrow(() ->
                new ProgramException(
                    "result that matches no collective of execution plans: form=%s; export a program whose ensure is that of an allgather, allreduce, reducescatter, alltoall, sendrecv or, from rank 0, broadcast"
                        .formatted(program.form().name())));
    List<ExportedLane> lanes = lanes(program, mistakes);
    mistakes.refuse();
    PlanBuffer inOut =
        promised.collective() == MscclCollective.REDUCE_SCATTER ? PlanBuffer.I : PlanBuffer.O;
    ExportMemory memory = new ExportMemory(program, lanes, inOut, mistakes);
    SlotCounts slots = new SlotCounts(lanes, mistakes);
    mistakes.refuse();
    sizes(program, memory);
    List<List<Block>> blocks = blocks(program, lanes, memory, slots, mistakes);
    mistakes.refuse();
    int chunks = chunks(program, promised, input, output, memory);
    List<Gpu> gpus =
        IntStream.range(0, program.world())
            .mapToObj(gpu ->
                new Gpu(
                    gpu,
                    promised.collective() == MscclCollective.ALLGATHER
                        ? chunks / program.world()
                        : chunks,
                    promised.collective() == MscclCollective.REDUCE_SCATTER
                        ? chunks / program.world()
                        : chunks,
                    memory.chunks(PlanBuffer.S),
                    List.of(),
                    blocks.get(gpu)))
            .toList();
    if (memory.chunks(PlanBuffer.S) > ExecutionPlanReader.MOST_CHUNKS) {
      throw manyChunks(memory, memory.chunks(PlanBuffer.S));
    }
    long bytes = chunks * memory.chunk();
    ExecutionPlan plan =
        new ExecutionPlan(
            program.form().name(),
            promised.collective(),
            promised.spelling(),
            memory.packets(),
            inPlace,
            memory.doubled(),
            false,
            chunks,
            ALIGNMENT,
            bytes,
            bytes,
            gpus,
            slots.notes(lanes));
    return new ExportedPlan(
        plan,
        lanes.stream().mapToInt(lane -> threads(lane.family())).max().orElse(MOST_THREADS),
        IntStream.range(0, program.world())
            .mapToObj(gpu -> slots.connected(gpu, program.world()))
            .toList());
  }

  private static Buffer only(Program program, Predicate<Space> space, String what) {
    List<Buffer> all =
        program.form().buffers().stream()
            .filter(buffer -> !buffer.isAlias() && space.test(buffer.space()))
            .toList();
    if (all.size() != 1) {
      throw new ProgramException(
          "program without one %s: buffers=%d; an execution plan has one buffer for inputs and one for outputs"
              .formatted(what, all.size()));
    }
    return all.getFirst();
  }

  private static List<ExportedLane> lanes(Program program, MistakeList mistakes) {
    for (LaneFamily family : program.form().lanes()) {
      boolean blocks =
          family.engine() instanceof LaneFamily.Engine.Sm(int threads, int cluster)
              && cluster == 1
              && threads > 1
              && threads <= MOST_THREADS;
      if (!blocks) {
        mistakes.add(
            Mistake.of(
                family,
                "lane that is no thread block of its own",
                "lane=" + family.name(),
                "use sm lanes of 32 to %d threads, without clusters".formatted(MOST_THREADS)));
      }
    }
    mistakes.refuse();
    List<ExportedLane> lanes = new ArrayList<>();
    for (int r = 0; r < program.world(); r++) {
      RankProgram rank = program.rank(r);
      for (RankProgram.LaneInstance lane : rank.lanes()) {
        List<LaneStep> steps = LaneUnrolling.of(rank, lane, mistakes);
        if (steps.stream().anyMatch(step -> !(step instanceof LaneStep.Ordered))) {
          lanes.add(new ExportedLane(r, lane.label(), lane.lane(), steps));
        }
      }
    }
    return lanes;
  }

  private static int threads(LaneFamily family) {
    return family.engine() instanceof LaneFamily.Engine.Sm(int threads, int _) ? threads : 0;
  }

  private static void sizes(Program program, ExportMemory memory) {
    if (memory.chunk() == 0 || memory.chunk() % ALIGNMENT != 0) {
      throw new ProgramException(
          "size that an execution plan cannot cut: values=%s, common divisor=%d bytes; choose sizes for which all lanes move a multiple of %d bytes"
              .formatted(program.params(), memory.chunk(), ALIGNMENT));
    }
  }

  private static int chunks(
      Program program,
      PromisedCollective promised,
      Buffer input,
      Buffer output,
      ExportMemory memory) {
    long bytes =
        Math.max(program.rank(0).bytes(input.name()), program.rank(0).bytes(output.name()));
    long chunks = bytes / memory.chunk();
    if (chunks > ExecutionPlanReader.MOST_CHUNKS) {
      throw manyChunks(memory, chunks);
    }
    if (promised.collective().inBlocks() && chunks % program.world() != 0) {
      throw new ProgramException(
          "size that an execution plan cannot cut: chunks=%d, ranks=%d; choose a size of which each rank's block is a multiple of %d bytes"
              .formatted(chunks, program.world(), memory.chunk()));
    }
    return (int) chunks;
  }

  private static ProgramException manyChunks(ExportMemory memory, long chunks) {
    return new ProgramException(
        "too many chunks: chunks=%d, max=%d, bytes of a chunk=%d; choose a size that the lanes divide evenly, or a smaller one"
            .formatted(chunks, ExecutionPlanReader.MOST_CHUNKS, memory.chunk()));
  }

  private static List<List<Block>> blocks(
      Program program,
      List<ExportedLane> lanes,
      ExportMemory memory,
      SlotCounts slots,
      MistakeList mistakes) {
    List<List<Block>> blocks = new ArrayList<>();
    for (int gpu = 0; gpu < program.world(); gpu++) {
      List<Block> own = new ArrayList<>();
      for (ExportedLane lane : lanes) {
        if (lane.rank() == gpu) {
          List<Operation> operations =
              BlockOperations.of(lane, own.size(), memory, slots, mistakes);
          limit(lane, "operations", operations.size(), OperationReader.MOST_OPERATIONS, mistakes);
          limit(
              lane,
              "channels",
              operations.stream().flatMap(of -> of.channels().stream()).distinct().count(),
              OperationReader.MOST_CHANNELS,
              mistakes);
          int self = gpu;
          limit(
              lane,
              "remote buffers",
              operations.stream()
                  .flatMap(ExportedPlan::places)
                  .filter(place -> !place.local(self))
                  .map(place -> List.of(place.ranks(), place.buffer()))
                  .distinct()
                  .count(),
              OperationReader.MOST_CHANNELS,
              mistakes);
          if (!operations.isEmpty()) {
            own.add(new Block(gpu, own.size(), operations, new TextPosition(1, 1)));
          }
        }
      }
      if (own.size() > ExecutionPlanReader.MOST_BLOCKS) {
        throw new ProgramException(
            "too many lanes: rank=%d, lanes=%d, max=%d; choose a smaller size"
                .formatted(gpu, own.size(), ExecutionPlanReader.MOST_BLOCKS));
      }
      blocks.add(own);
    }
    return blocks;
  }

  static Stream<Place> places(Operation of) {
    return Stream.concat(of.sources().stream(), of.destinations().stream());
  }

  private static void limit(
      ExportedLane lane, String what, long count, long most, MistakeList mistakes) {
    if (count > most) {
      mistakes.add(
          Mistake.of(
              lane.family(),
              "lane with more %s than a thread block of a plan has".formatted(what),
              "rank=%d, lane=%s, %s=%d, max=%d"
                  .formatted(lane.rank(), lane.label(), what, count, most),
              "choose a smaller world, or share the work among more lanes"));
    }
  }

  /**
   * One plan for all sizes from the least to the most of some bindings of a program.
   *
   * @throws ProgramException also if two of them need different plans
   */
  public static ExportedPlan of(List<Program> programs) {
    ExportedPlan first = of(programs.getFirst());
    ExportedPlan covering = first;
    for (Program program : programs.subList(1, programs.size())) {
      ExportedPlan next = of(program);
      if (!next.covering(0, 0).equals(first.covering(0, 0))) {
        throw new ProgramException(
            "sizes with different plans: values=%s and %s; export each to a file of its own"
                .formatted(programs.getFirst().params(), program.params()));
      }
      covering =
          covering.covering(
              Math.min(covering.plan.leastBytes(), next.plan.leastBytes()),
              Math.max(covering.plan.mostBytes(), next.plan.mostBytes()));
    }
    return covering;
  }

  private ExportedPlan covering(long least, long most) {
    return new ExportedPlan(
        new ExecutionPlan(
            plan.name(),
            plan.collective(),
            plan.collectiveName(),
            plan.packets(),
            plan.inPlace(),
            plan.doubleScratch(),
            plan.reused(),
            plan.chunks(),
            plan.alignment(),
            least,
            most,
            plan.gpus(),
            plan.notes()),
        threads,
        connected);
  }

  public String name() {
    return plan.name();
  }

  /** Where the plan orders more than the program does in the same launch. */
  public List<String> notes() {
    return plan.notes();
  }

  /** The number of GPUs. */
  public int world() {
    return plan.world();
  }

  /** The sizes of calls that the plan serves, in words. */
  public String sizes() {
    String bytes =
        plan.leastBytes() == plan.mostBytes()
            ? String.valueOf(plan.leastBytes())
            : "%d to %d".formatted(plan.leastBytes(), plan.mostBytes());
    return "%s bytes in the larger buffer of a rank, in %d chunks".formatted(bytes, plan.chunks());
  }

  /** The text of the file. */
  public String text() {
    return new ExecutionPlanText(this).text();
  }
}
