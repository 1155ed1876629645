package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.mscclpp.ExecutionPlan.BlockBarrier;
import dev.oriel.domain.mscclpp.ExecutionPlan.Channel;
import dev.oriel.domain.mscclpp.ExecutionPlan.ChannelType;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import dev.oriel.domain.mscclpp.ExecutionPlan.Share;
import dev.oriel.domain.mscclpp.ExecutionPlan.Turns;
import dev.oriel.domain.mscclpp.ExecutionPlanReader.GpuHeader;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the operations of one block. Ids of an operation are positions in the lists of its block,
 * whose elements are ids of the gpu.
 */
final class OperationReader {
  /** Semaphores, and barriers, of a gpu. */
  static final int MOST_SEMAPHORES = 16;

  /** Operations of a block, those of pipelines included. */
  static final int MOST_OPERATIONS = 64;

  /** Channels of one type of a block. */
  static final int MOST_CHANNELS = 16;

  private static final int MOST_CHANNELS_AT_ONCE = 8;

  /** Places of an operation. */
  private static final int MOST_PLACES = 10;

  private static final int MOST_PARTS = 512;

  private final GpuHeader gpu;
  private final List<GpuHeader> gpus;
  private final int semaphores;
  private final JsonField field;
  private final int block;
  private final UnsupportedOperations unsupported;
  private final Map<ChannelType, List<Channel>> channels = new EnumMap<>(ChannelType.class);
  private final List<ChannelTables.SwitchGroup> switches = new ArrayList<>();
  private final Map<ChannelType, List<ChannelTables.Remote>> remotes =
      new EnumMap<>(ChannelType.class);

  OperationReader(
      GpuHeader gpu,
      List<GpuHeader> gpus,
      int semaphores,
      JsonField field,
      int block,
      UnsupportedOperations unsupported) {
    this.gpu = gpu;
    this.gpus = gpus;
    this.semaphores = semaphores;
    this.field = field;
    this.block = block;
    this.unsupported = unsupported;
    for (ChannelType type : ChannelType.values()) {
      channels.put(type, new ArrayList<>());
      remotes.put(type, new ArrayList<>());
    }
    readChannels();
    readRemotes();
  }

  private void readChannels() {
    for (JsonField each : field.elements("channels", MOST_CHANNELS)) {
      ChannelType type = ExecutionPlanReader.channelType(each.member("channel_type"));
      List<JsonField> ids = each.member("channel_ids").elements(MOST_CHANNELS);
      for (JsonField id : ids) {
        if (type == ChannelType.SWITCH) {
          switches.add(of(gpu.tables().switches(), id, "switch channel"));
        } else {
          channels
              .computeIfAbsent(type, t -> new ArrayList<>())
              .add(of(gpu.tables().of(type), id, "channel"));
        }
      }
    }
  }

  private void readRemotes() {
    for (JsonField each : field.elements("remote_buffer_refs", MOST_CHANNELS)) {
      ChannelType type = ExecutionPlanReader.channelType(each.member("access_channel_type"));
      for (JsonField id : each.member("remote_buffer_ids").elements(MOST_CHANNELS)) {
        remotes
            .computeIfAbsent(type, t -> new ArrayList<>())
            .add(of(gpu.tables().remotes(), id, "remote buffer"));
      }
    }
  }

  private static <T> T of(List<T> table, JsonField id, String what) {
    int at = id.number(0, Integer.MAX_VALUE);
    if (at >= table.size()) {
      throw id.error(
          "no such " + what,
          table.isEmpty() ? "declare it first" : "give 0 to %d".formatted(table.size() - 1));
    }
    return table.get(at);
  }

  List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    int count = 0;
    for (JsonField each : field.member("ops").elements(MOST_OPERATIONS)) {
      Optional<Operation> read = operation(each, String.valueOf(operations.size()), true);
      Operation operation = read.orElseGet(() -> nothing(each, operations.size()));
      operations.add(operation);
      count += 1 + operation.inner().size();
      if (count > MOST_OPERATIONS) {
        throw each.error(
            "too many operations in a block",
            "the executor holds %d, those of pipelines included; use more blocks"
                .formatted(MOST_OPERATIONS));
      }
    }
    return operations;
  }

  /** Holds the place of an unsupported operation: the plan is refused in the end. */
  private Operation nothing(JsonField operation, int number) {
    return new Operation(
        gpu.id(),
        block,
        String.valueOf(number),
        OperationType.NOP,
        List.of(),
        List.of(),
        List.of(),
        new Share(0, 1),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        List.of(),
        operation.value().at());
  }

  /** Empty if it is not supported, which is counted. */
  private Optional<Operation> operation(JsonField of, String number, boolean outer) {
    String name = of.member("name").text();
    Optional<OperationType> named = OperationType.named(name);
    if (named.isEmpty()) {
      unsupported.add(JsonText.cut(name), of.value().at());
      return Optional.empty();
    }
    OperationType type = named.get();
    ChannelType by = ExecutionPlanReader.channelType(of.optional("channel_type"));
    Optional<String> missing = OperationShapes.unsupported(type, by, outer);
    if (missing.isPresent()) {
      unsupported.add(missing.get(), of.value().at());
      return Optional.empty();
    }
    List<Operation> inner = new ArrayList<>();
    if (type == OperationType.PIPELINE) {
      for (JsonField each : of.member("ops").elements(MOST_OPERATIONS)) {
        operation(each, number + "." + inner.size(), false).ifPresent(inner::add);
      }
    }
    return Optional.of(operation(of, type, number, by, inner));
  }

  private Operation operation(
      JsonField of, OperationType type, String number, ChannelType by, List<Operation> inner) {
    Operation operation =
        new Operation(
            gpu.id(),
            block,
            number,
            type,
            type == OperationType.NOP ? List.of() : channels(of, by),
            places(of, "src_buff", by),
            places(of, "dst_buff", by),
            share(of),
            type == OperationType.BARRIER ? Optional.of(barrier(of)) : Optional.empty(),
            semaphores(of),
            type == OperationType.PIPELINE
                ? Optional.of(turns(of.member("iter_context")))
                : Optional.empty(),
            inner,
            of.value().at());
    OperationShapes.mistake(operation)
        .ifPresent(remedy ->
            unsupported.mistake(
                of.error(
                    "operation without a meaning", "%s: %s".formatted(operation.ids(), remedy))));
    return operation;
  }

  private List<Channel> channels(JsonField of, ChannelType by) {
    if (by == ChannelType.SWITCH) {
      return List.of();
    }
    return of.elements("channel_ids", MOST_CHANNELS_AT_ONCE).stream()
        .map(id -> of(channels.getOrDefault(by, List.of()), id, "channel of the block"))
        .toList();
  }

  private List<Place> places(JsonField of, String name, ChannelType by) {
    List<Place> places = new ArrayList<>();
    for (JsonField each : of.elements(name, MOST_PLACES)) {
      places.add(place(each, by));
    }
    return places;
  }

  private Place place(JsonField of, ChannelType by) {
    int index = of.number("index", 0, ExecutionPlanReader.MOST_CHUNKS);
    int size = of.number("size", 1, ExecutionPlanReader.MOST_CHUNKS);
    Place place;
    if (of.has("switch_channel_id")) {
      var group = of(switches, of.member("switch_channel_id"), "switch channel of the block");
      place = new Place(group.ranks(), true, group.buffer(), index, size);
    } else if (of.has("buffer_id")) {
      var remote =
          of(remotes.getOrDefault(by, List.of()), of.member("buffer_id"), "buffer of the block");
      place = new Place(List.of(remote.rank()), false, remote.buffer(), index, size);
    } else {
      PlanBuffer buffer = ExecutionPlanReader.buffer(of.member("type"));
      place = new Place(List.of(gpu.id()), false, buffer, index, size);
    }
    for (int rank : place.ranks()) {
      int chunks = gpus.get(rank).size(place.buffer());
      if (index + size > chunks) {
        throw of.error(
            "outside the buffer",
            "index=%d, size=%d, gpu=%d, buffer=%s, chunks=%d; stay inside, or declare a larger buffer"
                .formatted(index, size, rank, place.buffer().spelling(), chunks));
      }
    }
    return place;
  }

  private static Share share(JsonField of) {
    Optional<JsonField> info = of.optional("tbg_info");
    if (info.isEmpty()) {
      return new Share(0, 1);
    }
    int parts = info.get().number("tbg_size", 1, MOST_PARTS);
    return new Share(info.get().number("tb_id", 0, parts - 1), parts);
  }

  private static BlockBarrier barrier(JsonField of) {
    return new BlockBarrier(
        of.number("barrier_id", 0, MOST_SEMAPHORES - 1),
        of.number("num_threadblocks", 1, ExecutionPlanReader.MOST_BLOCKS));
  }

  private List<Integer> semaphores(JsonField of) {
    return of.elements("semaphore_ids", MOST_SEMAPHORES).stream()
        .map(id -> {
          if (semaphores == 0) {
            throw id.error("no such semaphore", "declare it at the gpu");
          }
          return id.number(0, semaphores - 1);
        })
        .toList();
  }

  private static Turns turns(JsonField context) {
    return new Turns(
        context.number("unit_size", 1, Integer.MAX_VALUE),
        context.number("num_chunks", 1, ExecutionPlanReader.MOST_CHUNKS));
  }
}
