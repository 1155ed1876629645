package dev.oriel.domain.mscclpp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes MSCCL++ execution plans for tests. Operations are short texts: {@code put i0 > o2@1 x2}
 * has a source, a destination at gpu 1 and a number of chunks; {@code glres *i0 > *i0} uses the
 * switch of all gpus, {@code wait @1 @2} channels to those gpus, {@code port wait @1} port
 * channels, and {@code sem_release 0} a semaphore. Each block has a memory and a port channel to
 * each other gpu.
 */
public final class ExecutionPlanJson {
  private final String collective;
  private final int world;
  private String protocol = "Simple";
  private boolean inPlace = true;
  private String more = "";
  private final List<List<List<String>>> blocks = new ArrayList<>();
  private final int[] sizes;
  private final List<Integer> semaphores = new ArrayList<>();

  private ExecutionPlanJson(String collective, int world, int inputs, int outputs, int scratch) {
    this.collective = collective;
    this.world = world;
    this.sizes = new int[] {inputs, outputs, scratch};
    for (int g = 0; g < world; g++) {
      blocks.add(new ArrayList<>());
    }
  }

  /** A plan in place, whose gpus all have those numbers of chunks. */
  public static ExecutionPlanJson of(
      String collective, int world, int inputs, int outputs, int scratch) {
    return new ExecutionPlanJson(collective, world, inputs, outputs, scratch);
  }

  public ExecutionPlanJson packets() {
    protocol = "LL";
    return this;
  }

  public ExecutionPlanJson outOfPlace() {
    inPlace = false;
    return this;
  }

  /** More members of the root. */
  public ExecutionPlanJson with(String members) {
    more += members + ", ";
    return this;
  }

  public ExecutionPlanJson semaphore(int start) {
    semaphores.add(start);
    return this;
  }

  /** Adds a block to a gpu. */
  public ExecutionPlanJson tb(int gpu, String... operations) {
    blocks.get(gpu).add(List.of(operations));
    return this;
  }

  /** The text of the file, with one operation in each line. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        "{\"name\": \"a_plan\", \"collective\": \"%s\", \"protocol\": \"%s\", \"inplace\": %b, %s\"gpus\": [\n"
            .formatted(collective, protocol, inPlace, more));
    for (int g = 0; g < world; g++) {
      text.append(gpu(g)).append(g + 1 < world ? ",\n" : "]}\n");
    }
    return text.toString();
  }

  private String gpu(int gpu) {
    List<String> peers = new ArrayList<>();
    List<String> remotes = new ArrayList<>();
    for (int p = 0; p < world; p++) {
      if (p != gpu) {
        peers.add(String.valueOf(p));
        for (String buffer : List.of("i", "o", "s")) {
          remotes.add(
              "{\"rank\": %d, \"type\": \"%s\", \"access_channel_types\": [\"memory\", \"port\"]}"
                  .formatted(p, buffer));
        }
      }
    }
    List<String> all = new ArrayList<>();
    blocks.get(gpu).forEach(block -> all.addAll(peers));
    List<String> ranks = new ArrayList<>();
    for (int p = 0; p < world; p++) {
      ranks.add(String.valueOf(p));
    }
    List<String> channels = new ArrayList<>();
    for (String type : List.of("memory", "port")) {
      channels.add("{\"channel_type\": \"%s\", \"connected_to\": %s}".formatted(type, all));
    }
    for (String buffer : List.of("i", "o", "s")) {
      channels.add(
          "{\"channel_type\": \"switch\", \"buffer_type\": \"%s\", \"rank_groups\": [{\"size\": 1, \"ranks\": %s}]}"
              .formatted(buffer, ranks));
    }
    List<String> texts = new ArrayList<>();
    for (int b = 0; b < blocks.get(gpu).size(); b++) {
      texts.add(block(gpu, b, peers.size(), remotes.size()));
    }
    return "{\"id\": %d, \"input_chunks\": %d, \"output_chunks\": %d, \"scratch_chunks\": %d, \"channels\": %s, \"remote_buffers\": %s, \"semaphores\": %s, \"threadblocks\": [\n%s]}"
        .formatted(
            gpu,
            sizes[0],
            sizes[1],
            sizes[2],
            channels,
            remotes,
            semaphores.stream().map("{\"init_value\": %d}"::formatted).toList(),
            String.join(",\n", texts));
  }

  private String block(int gpu, int block, int peers, int remotes) {
    List<Integer> own = new ArrayList<>();
    for (int p = 0; p < peers; p++) {
      own.add(block * peers + p);
    }
    List<Integer> buffers = new ArrayList<>();
    for (int r = 0; r < remotes; r++) {
      buffers.add(r);
    }
    List<String> operations = new ArrayList<>();
    for (String words : blocks.get(gpu).get(block)) {
      operations.add("  " + operation(gpu, words));
    }
    return "{\"id\": %d, \"channels\": [{\"channel_type\": \"memory\", \"channel_ids\": %s}, {\"channel_type\": \"port\", \"channel_ids\": %s}, {\"channel_type\": \"switch\", \"channel_ids\": [0, 1, 2]}], \"remote_buffer_refs\": [{\"access_channel_type\": \"memory\", \"remote_buffer_ids\": %s}, {\"access_channel_type\": \"port\", \"remote_buffer_ids\": %s}], \"ops\": [\n%s\n]}"
        .formatted(block, own, own, buffers, buffers, String.join(",\n", operations));
  }

  private String operation(int gpu, String words) {
    List<String> parts = new ArrayList<>(List.of(words.split(" ", -1)));
    boolean port = parts.getFirst().equals("port");
    if (port) {
      parts.removeFirst();
    }
    String name = parts.removeFirst();
    if (name.equals("pipeline")) {
      String[] inner = words.split(": ", 2)[1].split(" \\| ", -1);
      List<String> operations = new ArrayList<>();
      for (String each : inner) {
        operations.add(operation(gpu, each));
      }
      return "{\"name\": \"pipeline\", \"iter_context\": {\"unit_size\": %s, \"num_chunks\": %s}, \"ops\": %s}"
          .formatted(parts.get(0), parts.get(1).replace(":", ""), operations);
    }
    int size = 1;
    for (String part : parts) {
      size = part.startsWith("x") ? Integer.parseInt(part.substring(1)) : size;
    }
    List<String> channels = new ArrayList<>();
    List<String> from = new ArrayList<>();
    List<String> to = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    String share = "";
    boolean target = false;
    boolean multicast = false;
    for (String part : parts) {
      if (part.equals(">")) {
        target = true;
      } else if (part.startsWith("@")) {
        channels.add(String.valueOf(index(gpu, part.substring(1))));
      } else if (part.matches("[0-9]+")) {
        ids.add(part);
      } else if (part.matches("[0-9]+/[0-9]+")) {
        String[] cut = part.split("/", -1);
        share = ", \"tbg_info\": {\"tb_id\": %s, \"tbg_size\": %s}".formatted(cut[0], cut[1]);
      } else if (!part.startsWith("x")) {
        multicast |= part.startsWith("*");
        (target ? to : from).add(place(gpu, part, size));
        if (port && target) {
          channels.add(String.valueOf(index(gpu, part.substring(part.indexOf('@') + 1))));
        }
      }
    }
    StringBuilder text = new StringBuilder("{\"name\": \"%s\"".formatted(name));
    if (!from.isEmpty()) {
      text.append(", \"src_buff\": %s, \"dst_buff\": %s".formatted(from, to));
    }
    if (!channels.isEmpty()) {
      text.append(", \"channel_ids\": %s".formatted(channels));
    }
    if (name.equals("barrier")) {
      text.append(
          ", \"barrier_id\": %s, \"num_threadblocks\": %s".formatted(ids.get(0), ids.get(1)));
    } else if (!ids.isEmpty()) {
      text.append(", \"semaphore_ids\": %s".formatted(ids));
    }
    if (!name.equals("nop") && !name.equals("barrier") && !name.startsWith("sem_")) {
      String type = multicast ? "switch" : port ? "port" : "memory";
      text.append(", \"channel_type\": \"%s\"".formatted(type));
    }
    return text.append(share).append("}").toString();
  }

  /** The position of a peer among the others. */
  private static int index(int gpu, String peer) {
    int rank = Integer.parseInt(peer);
    return rank < gpu ? rank : rank - 1;
  }

  private static String place(int gpu, String words, int size) {
    String buffer = words.replace("*", "").substring(0, 1);
    int number = "ios".indexOf(buffer);
    String rest = words.replace("*", "").substring(1);
    String[] at = rest.split("@", -1);
    String chunks = "\"index\": %s, \"size\": %d".formatted(at[0], size);
    if (words.startsWith("*")) {
      return "{\"switch_channel_id\": %d, %s}".formatted(number, chunks);
    }
    return at.length > 1
        ? "{\"buffer_id\": %d, %s}".formatted(3 * index(gpu, at[1]) + number, chunks)
        : "{\"type\": \"%s\", %s}".formatted(buffer.toLowerCase(Locale.ROOT), chunks);
  }

  /** An all-reduce of two gpus by reads, with barriers of memory channels at both ends. */
  public static ExecutionPlanJson readAllReduce() {
    ExecutionPlanJson plan = of("allreduce", 2, 2, 2, 0);
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      plan.tb(
          g,
          "signal @" + p,
          "wait @" + p,
          "nop",
          "rres i%d i%d@%d > i%d i%d@%d".formatted(g, g, p, g, g, p),
          "nop",
          "signal @" + p,
          "wait @" + p);
    }
    return plan;
  }

  /** The same by the switch. */
  public static ExecutionPlanJson switchAllReduce(String signal, String wait) {
    ExecutionPlanJson plan = of("allreduce", 2, 2, 2, 0);
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      plan.tb(
          g,
          "rlxsignal @" + p,
          "rlxwait @" + p,
          "nop",
          "glres *i%d > *i%d".formatted(g, g),
          "nop",
          signal + " @" + p,
          wait + " @" + p);
    }
    return plan;
  }

  /** An all-reduce of two gpus in packets, with both halves of a double scratch buffer. */
  public static ExecutionPlanJson packetAllReduce() {
    ExecutionPlanJson plan =
        of("allreduce", 2, 2, 2, 2).packets().with("\"use_double_scratch_buffer\": true");
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      plan.tb(
          g,
          "ppkt i%d > s0@%d".formatted(p, p),
          "respkt i%d s0 > i%d s1@%d".formatted(g, g, p),
          "upkt s1 > i%d".formatted(p));
    }
    return plan;
  }

  /** An all-gather of three gpus by puts. */
  public static ExecutionPlanJson putAllGather() {
    ExecutionPlanJson plan = of("allgather", 3, 1, 3, 0).outOfPlace();
    for (int g = 0; g < 3; g++) {
      int a = (g + 1) % 3;
      int b = (g + 2) % 3;
      plan.tb(
          g,
          "signal @%d @%d".formatted(a, b),
          "wait @%d @%d".formatted(a, b),
          "nop",
          "put i0 i0 > o%d@%d o%d@%d".formatted(g, a, g, b),
          "copy i0 > o" + g,
          "nop",
          "signal @%d @%d".formatted(a, b),
          "wait @%d @%d".formatted(a, b));
    }
    return plan;
  }

  /** The same of two gpus by a proxy. */
  public static ExecutionPlanJson portAllGather() {
    ExecutionPlanJson plan = of("allgather", 2, 1, 2, 0).outOfPlace();
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      plan.tb(
          g,
          "port signal @" + p,
          "port wait @" + p,
          "nop",
          "port pws i0 > o%d@%d".formatted(g, p),
          "copy i0 > o" + g,
          "port wait @" + p,
          "port flush @" + p);
    }
    return plan;
  }

  /** Two blocks of each gpu, which hand over scratch by a semaphore and meet at a barrier. */
  public static ExecutionPlanJson semaphoreAllGather() {
    ExecutionPlanJson plan = of("allgather", 2, 1, 2, 1).outOfPlace().semaphore(0);
    for (int g = 0; g < 2; g++) {
      int p = 1 - g;
      plan.tb(g, "copy i0 > s0", "nop", "sem_release 0", "barrier 0 2");
      plan.tb(
          g,
          "signal @" + p,
          "wait @" + p,
          "sem_acquire 0",
          "nop",
          "put s0 > o%d@%d".formatted(g, p),
          "copy s0 > o" + g,
          "nop",
          "signal @" + p,
          "wait @" + p,
          "barrier 0 2");
    }
    return plan;
  }

  /** A broadcast of two parts through scratch by a pipeline whose semaphore counts free parts. */
  public static ExecutionPlanJson pipelined() {
    return of("allgather", 1, 1, 1, 1)
        .outOfPlace()
        .with("\"max_message_size\": 1048576")
        .semaphore(0)
        .tb(0, "pipeline 1024 1: copy i0 > s0 | nop | sem_release 0")
        .tb(0, "pipeline 1024 1: sem_acquire 0 | nop | copy s0 > o0");
  }
}
