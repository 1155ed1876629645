package dev.oriel.domain.mscclpp;

import dev.oriel.domain.mscclpp.ExecutionPlan.Block;
import dev.oriel.domain.mscclpp.ExecutionPlan.Channel;
import dev.oriel.domain.mscclpp.ExecutionPlan.Gpu;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints an exported plan as JSON, one operation a line. */
final class ExecutionPlanText {
  private final ExportedPlan exported;

  /** A buffer of a peer. */
  private record Remote(int rank, String buffer) {
    static Remote of(Place place) {
      return new Remote(place.ranks().getFirst(), place.buffer().name().toLowerCase(Locale.ROOT));
    }
  }

  ExecutionPlanText(ExportedPlan exported) {
    this.exported = exported;
  }

  String text() {
    ExecutionPlan plan = exported.plan();
    return """
    {
     "name": "%s",
     "collective": "%s",
     "protocol": "%s",
     "inplace": %b,
     "reuse_resources": false,
     "use_double_scratch_buffer": %b,
     "num_threads_per_block": %d,
     "buffer_alignment": %d,
     "min_message_size": %d,
     "max_message_size": %d,
     "gpus": [
    %s
     ]
    }
    """
        .formatted(
            plan.name(),
            plan.collectiveName(),
            plan.packets() ? "LL" : "Simple",
            plan.inPlace(),
            plan.doubleScratch(),
            exported.threads(),
            plan.alignment(),
            plan.leastBytes(),
            plan.mostBytes(),
            plan.gpus().stream().map(this::gpu).collect(Collectors.joining(",\n")));
  }

  private String gpu(Gpu gpu) {
    List<Remote> remotes =
        gpu.blocks().stream().flatMap(block -> remotes(block).stream()).distinct().toList();
    return """
      {"id": %d, "input_chunks": %d, "output_chunks": %d, "scratch_chunks": %d,
       "channels": [%s],
       "remote_buffers": [%s],
       "semaphores": [],
       "threadblocks": [
    %s
      ]}\
    """
        .formatted(
            gpu.id(),
            gpu.inputs(),
            gpu.outputs(),
            gpu.scratch(),
            exported.connected().get(gpu.id()).isEmpty()
                ? ""
                : "{\"channel_type\": \"memory\", \"connected_to\": %s}"
                    .formatted(exported.connected().get(gpu.id())),
            remotes.stream()
                .map(remote ->
                    "{\"rank\": %d, \"type\": \"%s\", \"access_channel_types\": [\"memory\"]}"
                        .formatted(remote.rank, remote.buffer))
                .collect(Collectors.joining(", ")),
            gpu.blocks().stream()
                .map(block -> block(block, remotes))
                .collect(Collectors.joining(",\n")));
  }

  private static List<Remote> remotes(Block block) {
    return block.operations().stream()
        .flatMap(ExportedPlan::places)
        .filter(place -> !place.local(block.gpu()))
        .map(Remote::of)
        .distinct()
        .toList();
  }

  private static String block(Block block, List<Remote> all) {
    List<Integer> channels =
        block.operations().stream()
            .flatMap(of -> of.channels().stream())
            .map(Channel::id)
            .distinct()
            .sorted()
            .toList();
    List<Remote> remotes = remotes(block);
    return """
       {"id": %d,
       "channels": [%s],
       "remote_buffer_refs": [%s],
       "ops": [
    %s
       ]}\
    """
        .formatted(
            block.id(),
            channels.isEmpty()
                ? ""
                : "{\"channel_type\": \"memory\", \"channel_ids\": %s}".formatted(channels),
            remotes.isEmpty()
                ? ""
                : "{\"access_channel_type\": \"memory\", \"remote_buffer_ids\": %s}"
                    .formatted(remotes.stream().map(all::indexOf).toList()),
            block.operations().stream()
                .map(of -> "  " + operation(of, channels, remotes))
                .collect(Collectors.joining(",\n")));
  }

  private static String operation(Operation of, List<Integer> channels, List<Remote> remotes) {
    List<String> members =
        new ArrayList<>(List.of("\"name\": \"%s\"".formatted(of.type().spelling())));
    boolean reaches = ExportedPlan.places(of).anyMatch(place -> !place.local(of.gpu()));
    if (reaches || !of.channels().isEmpty()) {
      members.add("\"channel_type\": \"memory\"");
    }
    if (!of.channels().isEmpty()) {
      members.add(
          "\"channel_ids\": "
              + of.channels().stream().map(Channel::id).map(channels::indexOf).toList());
    }
    places("src_buff", of, of.sources(), remotes, members);
    places("dst_buff", of, of.destinations(), remotes, members);
    if (sums(of)) {
      members.add("\"reduce_op\": \"sum\"");
    }
    return "{" + String.join(", ", members) + "}";
  }

  private static boolean sums(Operation of) {
    return switch (of.type()) {
      case RE, RES, RRE, RRES -> true;
      default -> false;
    };
  }

  private static void places(
      String name, Operation of, List<Place> places, List<Remote> remotes, List<String> into) {
    if (!places.isEmpty()) {
      into.add(
          places.stream()
              .map(place -> place(place, of.gpu(), remotes))
              .collect(Collectors.joining(", ", "\"%s\": [".formatted(name), "]")));
    }
  }

  private static String place(Place place, int gpu, List<Remote> remotes) {
    Remote remote = Remote.of(place);
    return "{%s, \"index\": %d, \"size\": %d}"
        .formatted(
            place.local(gpu)
                ? "\"type\": \"%s\"".formatted(remote.buffer)
                : "\"buffer_id\": %d".formatted(remotes.indexOf(remote)),
            place.index(),
            place.size());
  }
}
