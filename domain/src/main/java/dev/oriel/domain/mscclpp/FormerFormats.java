package dev.oriel.domain.mscclpp;

import dev.oriel.domain.program.ProgramException;
import java.util.List;

/** Refuses plans that the executor does not read, and says what they are. */
final class FormerFormats {
  /** Members of gpus, blocks and operations that the first format had, and the others have not. */
  private static final List<String> FIRST = List.of("inputChunks", "srcbuff", "deps", "srcs");

  /** Those that the format between the two had. */
  private static final List<String> BETWEEN =
      List.of(
          "ctype",
          "cids",
          "cid",
          "semaphore_id",
          "src_buffer",
          "dst_buffer",
          "output_channel_ids",
          "input_channel_ids");

  private static final int MOST = 1 << 16;

  private FormerFormats() {}

  static void refuse(JsonField root, List<JsonField> gpus) {
    for (JsonField gpu : gpus) {
      template(gpu);
      refuse(gpu);
      for (JsonField block : gpu.elements("threadblocks", MOST)) {
        template(block);
        refuse(block);
        channels(block);
        operations(block);
      }
      channels(gpu);
    }
    template(root);
  }

  private static void channels(JsonField of) {
    for (JsonField channel : of.elements("channels", MOST)) {
      refuse(channel);
      if (!channel.has("channel_type") && channel.has("type")) {
        throw between(channel, "type");
      }
    }
  }

  private static void operations(JsonField of) {
    for (JsonField operation : of.elements("ops", MOST)) {
      template(operation);
      refuse(operation);
      if (operation.value() instanceof JsonNode.Members) {
        operations(operation);
      }
    }
  }

  private static void refuse(JsonField field) {
    for (String name : FIRST) {
      if (field.has(name)) {
        throw field.error(
            "first format of execution plans, of 2024",
            "member %s is of that format, which the executor no longer reads; make the plan anew with the current MSCCL++ language"
                .formatted(name));
      }
    }
    for (String name : BETWEEN) {
      if (field.has(name)) {
        throw between(field, name);
      }
    }
  }

  private static ProgramException between(JsonField field, String name) {
    return field.error(
        "format of execution plans between the first and the current one",
        "member %s is of that format, which the executor does not read; make the plan anew with the current MSCCL++ language"
            .formatted(name));
  }

  private static void template(JsonField field) {
    if (!(field.value() instanceof JsonNode.Members members)) {
      return;
    }
    for (String name : members.members().keySet()) {
      boolean text =
          members.members().get(name) instanceof JsonNode.Text value
              && value.value().startsWith("${");
      if (text || name.startsWith("dynamic_")) {
        throw field.error(
            "template of an execution plan",
            "member %s is filled in for each call; give the plan that was made from it"
                .formatted(JsonText.cut(name)));
      }
    }
  }
}
