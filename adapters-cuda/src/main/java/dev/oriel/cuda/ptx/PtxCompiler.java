package dev.oriel.cuda.ptx;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.ReachedSteps;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.AppliedHooks;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.rewrite.ReductionEdits;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.ports.queue.QueueFormat;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Compiles a form to one PTX kernel. Structure is compiled in. Addresses, sizes and every value
 * that world, parameters or rank determine are kernel parameters: one kernel serves all of them.
 */
public final class PtxCompiler {
  /** Parameters besides bases and names: state, status, abort, patience, queues, remote, sink. */
  private static final int FIXED = 7;

  /**
   * The most blocks for which a kernel lets its successor start before its own wait. Measured on 4
   * H200s, this gains 0.1 us if blocks are few, and loses 1.4 us of 15 if they fill the GPU.
   */
  private static final int FEW_BLOCKS = 32;

  /** Bytes of parameters that every driver accepts. */
  private static final int MAX_PARAMETERS = 4096;

  private static final int STAGE_THREADS = 32;

  private static final Pattern NOT_WORD = Pattern.compile("[^A-Za-z0-9_]");

  private final PtxTarget target;
  private final Optional<QueueFormat> queues;

  /** A compiler for forms whose peers' memory is all mapped. */
  public PtxCompiler(PtxTarget target) {
    this(target, Optional.empty());
  }

  /**
   * A compiler for forms that may have network peers as well.
   *
   * @param queues the format of the queues to them, if there is a network
   */
  public PtxCompiler(PtxTarget target, Optional<QueueFormat> queues) {
    this.target = target;
    this.queues = queues;
  }

  /**
   * The kernel of a form, with its lane families one after the other.
   *
   * @throws ProgramException if the form uses an operation without a PTX form
   */
  public PtxKernel compile(LoweredForm form) {
    return compile(form, PtxKernel.Part.WHOLE, PtxCompiler::all);
  }

  /**
   * The kernel of a form without the steps that this rank cannot reach. Only the rank may launch
   * it.
   *
   * @throws ProgramException if the form uses an operation without a PTX form
   */
  public PtxKernel compile(LoweredForm form, int rank) {
    return compile(form, PtxKernel.Part.WHOLE, lane -> ReachedSteps.of(lane, rank));
  }

  private static BitSet all(LoweredLane lane) {
    BitSet all = new BitSet();
    all.set(0, lane.steps().size());
    return all;
  }

  /**
   * The kernel of one stage of a lane that a copy engine runs: one block of one warp. It does
   * nothing once a stage of the launch has given up.
   *
   * @param steps without branches, followed by a barrier and an end
   * @param last whether the stage ends the lane
   * @throws ProgramException if the form uses an operation without a PTX form
   */
  public PtxKernel stage(
      LoweredForm form, LoweredLane lane, List<LoweredStep> steps, boolean last) {
    LaneFamily warp =
        new LaneFamily(
            lane.lane().name(),
            List.of(),
            new LaneFamily.Engine.Sm(STAGE_THREADS),
            lane.lane().states(),
            List.of());
    LoweredForm alone =
        new LoweredForm(
            form.form(), form.kinds(), List.of(new LoweredLane(warp, lane.extras(), steps)));
    return compile(alone, last ? PtxKernel.Part.LAST : PtxKernel.Part.INNER, PtxCompiler::all);
  }

  private PtxKernel compile(
      LoweredForm form, PtxKernel.Part part, Function<LoweredLane, BitSet> reached) {
    requireMemory(form.form());
    requireConversions(form.form());
    List<LoweredLane> lanes = form.lanes();
    boolean bulk = lanes.stream().anyMatch(LaneCode::bulkCopies);
    requireUnits(form.form(), bulk);
    int threads = lanes.stream().mapToInt(LaneCode::threads).max().orElseThrow();
    int cluster = cluster(form);
    PtxKernel.Shape shape =
        new PtxKernel.Shape(
            PtxKernel.values(form.form()),
            lanes.size() > 1,
            network(form),
            part,
            target.dependentLaunch());
    String name = NOT_WORD.matcher(form.form().name()).replaceAll("_");
    String entry = name + "__" + (shape.several() ? "all" : lanes.getFirst().lane().name());
    StringBuilder text = new StringBuilder();
    text.append("// form ").append(form.form().name());
    text.append("\n.version 8.0\n.target ").append(target.spelling());
    text.append("\n.address_size 64\n\n");
    text.append(".visible .entry ").append(entry).append("(\n");
    text.append("    .param .align 8 .b8 bases[").append(bytesOfBases(form.form(), shape));
    text.append("],\n    .param .u64 state,\n    .param .u64 status,\n");
    text.append("    .param .u64 abort,\n    .param .u64 patience");
    if (shape.queues().isPresent()) {
      text.append(",\n    .param .u64 queues,\n    .param .u64 remote,\n    .param .u64 sink");
    }
    shape.values().forEach(value -> text.append(",\n    .param .u64 v_").append(value));
    text.append("\n)\n.maxntid ").append(threads).append(", 1, 1\n");
    if (cluster > 1) {
      text.append(".reqnctapercluster ").append(cluster).append(", 1, 1\n");
    }
    text.append("{\n");
    text.append("    .shared .align 8 .u64 block_word;\n");
    text.append("    .shared .align 4 .u32 block_dead;\n");
    text.append(bulk ? BulkCode.shared() : "");
    text.append(start());
    for (int i = 0; i < lanes.size(); i++) {
      text.append(new LaneCode(form.form(), lanes, i, shape, reached.apply(lanes.get(i))).text());
      if (shape.several()) {
        text.append("$after_family_").append(i).append(":\n");
      }
    }
    text.append("    ret;\n}\n");
    return new PtxKernel(
        entry, text.toString(), threads, cluster, shape.queues().isPresent(), shape.values());
  }

  private static void requireMemory(Form form) {
    for (Buffer buffer : form.buffers()) {
      if (buffer.space() == Space.SHARED) {
        throw new ProgramException(
            "shared memory has no PTX form yet: form=%s, buffer=%s; use scratch"
                .formatted(form.name(), buffer.name()));
      }
      if (buffer.isAlias()) {
        throw new ProgramException(
            "memory is mapped once: form=%s, alias=%s; use %s"
                .formatted(form.name(), buffer.name(), buffer.of()));
      }
    }
  }

  /** Blocks of a cluster; all families of a kernel must have the same size. */
  private int cluster(LoweredForm form) {
    int[] sizes = form.lanes().stream().mapToInt(LaneCode::cluster).distinct().toArray();
    if (sizes.length > 1) {
      throw new ProgramException(
          "clusters of several sizes have no PTX form: form=%s, sizes=%s; all families of a kernel have one size"
              .formatted(form.form().name(), Arrays.toString(sizes)));
    }
    boolean named =
        form.lanes().stream().flatMap(l -> l.steps().stream()).anyMatch(PtxCompiler::namesCluster);
    if ((sizes[0] > 1 || named) && !target.clusters()) {
      throw new ProgramException(
          "no clusters on this GPU: form=%s, target=%s, needed=%s; use scope gpu and no cluster"
              .formatted(form.form().name(), target.spelling(), PtxTarget.SM_90.spelling()));
    }
    return sizes[0];
  }

  private static boolean namesCluster(LoweredStep step) {
    return switch (step.micro()) {
      case MicroOperation.Fence f -> f.scope() == Scope.CLUSTER;
      case MicroOperation.WriteSlot w -> w.scope() == Scope.CLUSTER;
      case MicroOperation.PollSlot p -> p.scope() == Scope.CLUSTER;
      case MicroOperation.Lock l -> l.scope() == Scope.CLUSTER;
      case MicroOperation.Rmw m -> m.scope() == Scope.CLUSTER;
      default -> false;
    };
  }

  private Optional<QueueFormat> network(LoweredForm form) {
    if (!form.kinds().contains(PeerKind.RDMA)) {
      return Optional.empty();
    }
    if (queues.isEmpty()) {
      throw new ProgramException(
          "network peers without queues: form=%s, links=%s; use NVLink peers, or give a network"
              .formatted(form.form().name(), form.kinds()));
    }
    if (form.lanes().stream().anyMatch(lane -> lane.moves(PacketFormat.LINE128))) {
      throw new ProgramException(
          "a network may cut lines: form=%s, format=%s, links=%s; use pkt16, or NVLink peers"
              .formatted(form.form().name(), PacketFormat.LINE128.spelling(), form.kinds()));
    }
    return queues;
  }

  private void requireConversions(Form form) {
    for (DataType type : List.of(DataType.FP8_E4M3, DataType.FP8_E5M2)) {
      if (!target.convertsFp8() && converts(form, type)) {
        throw new ProgramException(
            "GPU does not convert this type: element=%s, target=%s; use fp16 or bf16, or a GPU of sm_90"
                .formatted(type.name().toLowerCase(Locale.ROOT), target.spelling()));
      }
    }
  }

  private void requireUnits(Form form, boolean bulk) {
    if (bulk && !target.bulkCopies()) {
      throw new ProgramException(
          "no bulk-copy units on this GPU: form=%s, target=%s, needed=%s; use moves"
              .formatted(form.name(), target.spelling(), PtxTarget.SM_90.spelling()));
    }
  }

  private static boolean converts(Form form, DataType type) {
    return ReductionEdits.reduces(form, type)
        || AppliedHooks.of(form).stream().anyMatch(hook -> hook.converts(type));
  }

  private String start() {
    if (!target.dependentLaunch()) {
      return "";
    }
    return """
        .reg .b32 %%blocks;
        .reg .pred %%few;
        mov.u32 %%blocks, %%nctaid.x;
        setp.le.u32 %%few, %%blocks, %s;
        // early launch for small grids only: dependents of a large grid would occupy its multiprocessors
        @%%few griddepcontrol.launch_dependents;
    """
        .formatted(FEW_BLOCKS);
  }

  private static int bytesOfBases(Form form, PtxKernel.Shape shape) {
    int bytes = Long.BYTES * PtxKernel.bases(form);
    int others = Long.BYTES * (FIXED + shape.values().size());
    if (bytes + others > MAX_PARAMETERS) {
      throw new ProgramException(
          "too many buffers and names for a kernel: form=%s, buffers=%d, names=%d, bytes=%d, max=%d; declare fewer"
              .formatted(
                  form.name(),
                  form.buffers().size(),
                  shape.values().size(),
                  bytes + others,
                  MAX_PARAMETERS));
    }
    return bytes;
  }
}
