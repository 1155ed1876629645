package dev.oriel.domain.msccl;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes plans in MSCCL XML for tests. Steps are short texts: {@code rrc i1 > o2 x3 after 0.4
 * announced} has source, destination, number of chunks, dependency and hasdep.
 */
public final class PlanXml {
  private final String collective;
  private final int chunks;
  private final int world;
  private String protocol = "Simple";
  private int inPlace = 1;
  private int outOfPlace;
  private String more = "";
  private final List<StringBuilder> gpus = new ArrayList<>();
  private final List<int[]> sizes = new ArrayList<>();
  private int gpu;
  private int block;

  private PlanXml(String collective, int world, int chunks) {
    this.collective = collective;
    this.world = world;
    this.chunks = chunks;
    for (int g = 0; g < world; g++) {
      gpus.add(new StringBuilder());
      sizes.add(new int[] {0, 0, 0});
    }
  }

  /** A plan in place, by Simple. */
  public static PlanXml of(String collective, int world, int chunks) {
    return new PlanXml(collective, world, chunks);
  }

  public PlanXml protocol(String of) {
    protocol = of;
    return this;
  }

  public PlanXml outOfPlace() {
    inPlace = 0;
    outOfPlace = 1;
    return this;
  }

  public PlanXml inBothPlaces() {
    outOfPlace = 1;
    return this;
  }

  /** More attributes of the root. */
  public PlanXml with(String attributes) {
    more = " " + attributes;
    return this;
  }

  /** Begins a gpu; sizes are those of i, o and s. */
  public PlanXml gpu(int id, int inputs, int outputs, int scratch) {
    gpu = id;
    block = 0;
    sizes.set(id, new int[] {inputs, outputs, scratch});
    return this;
  }

  /** Adds a block to the gpu that was begun last. */
  public PlanXml tb(int send, int receive, int channel, String... steps) {
    StringBuilder text = gpus.get(gpu);
    text.append(
        "    <tb id=\"%d\" send=\"%d\" recv=\"%d\" chan=\"%d\">\n"
            .formatted(block++, send, receive, channel));
    for (int s = 0; s < steps.length; s++) {
      text.append(step(s, steps[s]));
    }
    text.append("    </tb>\n");
    return this;
  }

  private static String step(int number, String words) {
    String[] parts = words.split(" ", -1);
    String source = "i-1";
    String destination = "o-1";
    int count = parts[0].equals("nop") ? 0 : 1;
    String depends = "-1.-1";
    int announced = 0;
    boolean target = false;
    for (int i = 1; i < parts.length; i++) {
      switch (parts[i]) {
        case ">" -> target = true;
        case "after" -> depends = parts[++i];
        case "announced" -> announced = 1;
        default -> {
          if (parts[i].startsWith("x")) {
            count = Integer.parseInt(parts[i].substring(1));
          } else if (target) {
            destination = parts[i];
          } else {
            source = parts[i];
          }
        }
      }
    }
    String[] on = depends.split("\\.", -1);
    return "      <step s=\"%d\" type=\"%s\" srcbuf=\"%s\" srcoff=\"%s\" dstbuf=\"%s\" dstoff=\"%s\" cnt=\"%d\" depid=\"%s\" deps=\"%s\" hasdep=\"%d\"/>\n"
        .formatted(
            number,
            parts[0],
            source.substring(0, 1),
            source.substring(1),
            destination.substring(0, 1),
            destination.substring(1),
            count,
            on[0],
            on[1],
            announced);
  }

  /** The text of the file. */
  public String text() {
    StringBuilder text =
        new StringBuilder(
            "<algo name=\"a_plan\" proto=\"%s\" nchannels=\"4\" nchunksperloop=\"%d\" ngpus=\"%d\" coll=\"%s\" inplace=\"%d\" outofplace=\"%d\"%s>\n"
                .formatted(protocol, chunks, world, collective, inPlace, outOfPlace, more));
    for (int g = 0; g < world; g++) {
      int[] size = sizes.get(g);
      text.append(
          "  <gpu id=\"%d\" i_chunks=\"%d\" o_chunks=\"%d\" s_chunks=\"%d\">\n"
              .formatted(g, size[0], size[1], size[2]));
      text.append(gpus.get(g)).append("  </gpu>\n");
    }
    return text.append("</algo>\n").toString();
  }

  /** An all-gather around a ring, with one chunk of each gpu. */
  public static PlanXml ringAllGather(int world) {
    PlanXml plan = of("allgather", world, world).inBothPlaces();
    for (int g = 0; g < world; g++) {
      plan.gpu(g, 1, world, 0);
      List<String> steps = new ArrayList<>();
      steps.add("s i0");
      for (int k = 1; k < world - 1; k++) {
        steps.add("rcs > o" + Math.floorMod(g - k, world));
      }
      steps.add("r > o" + Math.floorMod(g + 1, world));
      plan.tb((g + 1) % world, (g + world - 1) % world, 0, steps.toArray(String[]::new));
      plan.tb(-1, -1, 0, "cpy i0 > o" + g);
    }
    return plan;
  }

  /** An all-reduce around a ring, in place, with one chunk for each gpu. */
  public static PlanXml ringAllReduce(int world) {
    PlanXml plan = of("allreduce", world, world);
    for (int g = 0; g < world; g++) {
      plan.gpu(g, world, world, 0);
      List<String> steps = new ArrayList<>();
      steps.add("s i" + g);
      for (int k = 1; k < world - 1; k++) {
        steps.add("rrs i" + Math.floorMod(g - k, world));
      }
      int own = Math.floorMod(g + 1, world);
      steps.add("rrcs i%d > o%d".formatted(own, own));
      for (int k = 0; k < world - 2; k++) {
        steps.add("rcs > o" + Math.floorMod(g - k, world));
      }
      steps.add("r > o" + Math.floorMod(g + 2, world));
      plan.tb((g + 1) % world, (g + world - 1) % world, 0, steps.toArray(String[]::new));
    }
    return plan;
  }

  /**
   * An all-reduce of two gpus in place. A block exchanges the inputs through scratch, another adds
   * what arrived once the first announces it.
   */
  public static PlanXml exchangeAllReduce() {
    PlanXml plan = of("allreduce", 2, 1);
    for (int g = 0; g < 2; g++) {
      plan.gpu(g, 1, 1, 1)
          .tb(1 - g, 1 - g, 0, "s i0", "r > s0 announced")
          .tb(-1, -1, 0, "re s0 > o0 after 0.1");
    }
    return plan;
  }
}
