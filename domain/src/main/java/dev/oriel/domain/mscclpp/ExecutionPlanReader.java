package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.MscclCollective;
import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.mscclpp.ExecutionPlan.Block;
import dev.oriel.domain.mscclpp.ExecutionPlan.ChannelType;
import dev.oriel.domain.mscclpp.ExecutionPlan.Gpu;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads an MSCCL++ execution plan. An error names file, line, column and the path of the element.
 * Members without a meaning to the executor are left out. The two older formats and templates are
 * refused by name.
 */
public final class ExecutionPlanReader {
  /** Characters of a file; every character has at least one byte. */
  public static final int MOST_TEXT = JsonText.MOST_TEXT;

  /** GPUs of a plan: up to this number, every execution of a program can be explored. */
  static final int MOST_GPUS = 64;

  static final int MOST_BLOCKS = 512;

  /** Chunks of a buffer. */
  static final int MOST_CHUNKS = 1 << 15;

  /** Bytes of a buffer's alignment. */
  private static final int MOST_ALIGNMENT = 1 << 20;

  private static final int ALIGNMENT = 16;

  private final JsonField root;
  private final UnsupportedOperations unsupported = new UnsupportedOperations();

  private ExecutionPlanReader(JsonField root) {
    this.root = root;
  }

  /** Whether a text looks like JSON, and so like no program text. */
  public static boolean isJson(String text) {
    return text.stripLeading().startsWith("{") || text.startsWith("\uFEFF{");
  }

  /**
   * The plan of that text.
   *
   * @param file the name of its file, for messages
   * @throws ProgramException naming the place of the first error, or all unsupported operations
   */
  public static ExecutionPlan read(String text, String file) {
    JsonField root = new JsonField(JsonText.read(text, file), "plan", file);
    return new ExecutionPlanReader(root).plan();
  }

  private ExecutionPlan plan() {
    List<JsonField> gpuFields = root.member("gpus").elements(MOST_GPUS);
    FormerFormats.refuse(root, gpuFields);
    if (gpuFields.isEmpty()) {
      throw root.member("gpus").error("plan without gpus", "give one for each rank");
    }
    JsonField collective = root.member("collective");
    boolean packets =
        switch (root.member("protocol").text()) {
          case "Simple" -> false;
          case "LL" -> true;
          default -> throw root.member("protocol").error("unknown protocol", "give Simple or LL");
        };
    List<GpuHeader> headers = headers(gpuFields);
    List<Gpu> gpus = new ArrayList<>();
    for (GpuHeader header : headers) {
      gpus.add(gpu(header, headers));
    }
    if (gpus.stream()
        .flatMap(gpu -> gpu.blocks().stream())
        .allMatch(block -> block.operations().isEmpty())) {
      throw root.member("gpus").error("plan without operations", "give at least one");
    }
    unsupported.refuse(root.file());
    MscclCollective kind = MscclCollective.ofExecutionPlan(collective.text());
    long least = root.bytes("min_message_size", 0);
    long most = root.bytes("max_message_size", Long.MAX_VALUE);
    if (least > most) {
      throw root.member("min_message_size")
          .error("plan for no size", "give at most max_message_size");
    }
    ExecutionPlan plan =
        new ExecutionPlan(
            root.member("name").text(),
            kind,
            JsonText.cut(collective.text()),
            packets,
            root.member("inplace").flag(),
            root.flag("use_double_scratch_buffer", false),
            root.flag("reuse_resources", false),
            chunks(kind, gpus, collective),
            root.number("buffer_alignment", 1, MOST_ALIGNMENT, ALIGNMENT),
            least,
            most,
            gpus,
            ExecutorNotes.of(gpus));
    ModelLimits.check(plan, unsupported);
    unsupported.refuse(root.file());
    if (ExecutionVariant.of(plan).isEmpty()) {
      throw root.error(
          "plan for no size",
          "let a multiple of buffer_alignment and chunks be in the window of sizes");
    }
    return plan;
  }

  /** The part of a gpu that operations of other gpus refer to. */
  record GpuHeader(
      JsonField field, int id, int inputs, int outputs, int scratch, ChannelTables tables) {
    int size(PlanBuffer buffer) {
      return switch (buffer) {
        case I -> inputs;
        case O -> outputs;
        case S -> scratch;
      };
    }
  }

  private static List<GpuHeader> headers(List<JsonField> fields) {
    List<GpuHeader> headers = new ArrayList<>();
    for (JsonField gpu : fields) {
      JsonField id = gpu.member("id");
      if (id.number(0, fields.size() - 1) != headers.size()) {
        throw id.error("gpu out of turn", "give gpus in the order of their ids, from 0 on");
      }
      int inputs = gpu.number("input_chunks", 0, MOST_CHUNKS);
      int outputs = gpu.number("output_chunks", 0, MOST_CHUNKS);
      if (inputs + outputs == 0) {
        throw gpu.error("gpu without input and output", "give input_chunks or output_chunks");
      }
      headers.add(
          new GpuHeader(
              gpu,
              headers.size(),
              inputs,
              outputs,
              gpu.number("scratch_chunks", 0, MOST_CHUNKS),
              ChannelTables.of(gpu, headers.size(), fields.size())));
    }
    return headers;
  }

  private Gpu gpu(GpuHeader header, List<GpuHeader> all) {
    List<Integer> semaphores =
        header.field.elements("semaphores", OperationReader.MOST_SEMAPHORES).stream()
            .map(each -> each.number("init_value", 0, Short.MAX_VALUE))
            .toList();
    List<Block> blocks = new ArrayList<>();
    for (JsonField block : header.field.member("threadblocks").elements(MOST_BLOCKS)) {
      JsonField id = block.member("id");
      if (id.number(0, MOST_BLOCKS - 1) != blocks.size()) {
        throw id.error("block out of turn", "give blocks in the order of their ids, from 0 on");
      }
      OperationReader reader =
          new OperationReader(header, all, semaphores.size(), block, blocks.size(), unsupported);
      blocks.add(new Block(header.id, blocks.size(), reader.operations(), block.value().at()));
    }
    return new Gpu(header.id, header.inputs, header.outputs, header.scratch, semaphores, blocks);
  }

  /** The chunks of the larger buffer, if all gpus have the sizes that the collective needs. */
  private int chunks(MscclCollective collective, List<Gpu> gpus, JsonField field) {
    int world = gpus.size();
    int inputs = gpus.stream().mapToInt(Gpu::inputs).max().orElse(0);
    int outputs = gpus.stream().mapToInt(Gpu::outputs).max().orElse(0);
    int chunks =
        switch (collective) {
          case ALLGATHER -> Math.max(outputs, inputs * world);
          case REDUCE_SCATTER -> Math.max(inputs, outputs * world);
          default -> Math.max(inputs, outputs);
        };
    if (collective == MscclCollective.CUSTOM) {
      return chunks;
    }
    boolean shared = !collective.inBlocks() || chunks % world == 0;
    int input = collective == MscclCollective.ALLGATHER ? chunks / world : chunks;
    int output = collective == MscclCollective.REDUCE_SCATTER ? chunks / world : chunks;
    for (Gpu gpu : gpus) {
      boolean fits =
          (gpu.inputs() == 0 || gpu.inputs() == input)
              && (gpu.outputs() == 0 || gpu.outputs() == output);
      if (!shared || !fits) {
        throw field.error(
            "sizes do not fit the collective",
            "gpu %d has %d input and %d output chunks; give %d and %d, or 0 for one that it does not use"
                .formatted(gpu.id(), gpu.inputs(), gpu.outputs(), input, output));
      }
    }
    return chunks;
  }

  /** The type of a channel, which has one of four spellings. */
  static ChannelType channelType(JsonField field) {
    return switch (field.text()) {
      case "memory" -> ChannelType.MEMORY;
      case "port" -> ChannelType.PORT;
      case "switch" -> ChannelType.SWITCH;
      case "none" -> ChannelType.NONE;
      default -> throw field.error("unknown channel type", "give memory, port, switch or none");
    };
  }

  static PlanBuffer buffer(JsonField field) {
    return PlanBuffer.named(field.text())
        .orElseThrow(() -> field.error("unknown buffer", "give i, o or s"));
  }

  /** The type of an operation's channels; none if it names none. */
  static ChannelType channelType(Optional<JsonField> field) {
    return field.map(ExecutionPlanReader::channelType).orElse(ChannelType.NONE);
  }
}
