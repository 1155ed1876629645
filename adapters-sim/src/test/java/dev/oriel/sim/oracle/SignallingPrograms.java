package dev.oriel.sim.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Texts of random programs in which one agent accesses a word, orders that in some way, and signals
 * another agent, which accesses the same word. So most of the ordering operations are needed.
 */
final class SignallingPrograms {
  private final Random random;
  private final int world;
  private final boolean rdma;
  private final String engine;
  private final List<List<String>> bodies = new ArrayList<>();
  private int signals;
  private int registers;

  private SignallingPrograms(long seed, int world, boolean rdma) {
    random = new Random(seed * 0x9E3779B97F4A7C15L + world * 2L + (rdma ? 1 : 0));
    this.world = world;
    this.rdma = rdma;
    engine = random.nextInt(4) == 0 ? "host" : "sm(32)";
    for (int r = 0; r < world; r++) {
      bodies.add(new ArrayList<>());
    }
  }

  static String text(long seed, int world, boolean rdma) {
    return new SignallingPrograms(seed, world, rdma).text();
  }

  private String any(String... of) {
    return of[random.nextInt(of.length)];
  }

  private String text() {
    int rounds = 1 + random.nextInt(2);
    for (int i = 0; i < rounds; i++) {
      int from = random.nextInt(world);
      round(from, (from + 1 + random.nextInt(world - 1)) % world);
    }
    StringBuilder text = new StringBuilder("form telling\nscratch box[32]\nscratch mine[32]\n");
    text.append("scratch flag[32]\nsignal S[4]\nsignal N[4]\n");
    text.append("lane main: ").append(engine).append(" {\n");
    for (int r = 0; r < world; r++) {
      text.append("  if r == %d {\n".formatted(r));
      bodies.get(r).forEach(op -> text.append("    ").append(op).append('\n'));
      text.append("  }\n");
    }
    return text.append("}\n").toString();
  }

  private void add(int agent, String operation) {
    bodies.get(agent).add(operation);
  }

  private void maybe(int agent, String... of) {
    if (random.nextInt(3) > 0) {
      add(agent, any(of));
    }
  }

  private void round(int a, int b) {
    int word = 8 * random.nextInt(2);
    int owner = random.nextInt(3) > 0 ? b : a;
    access(a, owner, word);
    signal(a, b);
    maybe(b, "order sys", "sync", "order sc sys", "order bulk");
    access(b, owner, word);
  }

  /** An access of a word of the owner, and an operation that completes or orders it. */
  private void access(int agent, int owner, int word) {
    String nb = any("", " nb", " nb");
    switch (random.nextInt(owner == agent ? 4 : rdma ? 3 : 4)) {
      case 0 -> {
        add(
            agent,
            owner == agent
                ? "store box[%d] <- %d".formatted(word, 3 + random.nextInt(3))
                : "move box@%d[%d] <- mine[0] bytes 8".formatted(owner, word));
        maybe(agent, "sync", "order sys", "flush @%d remote".formatted(owner), "order bulk");
      }
      case 1 -> {
        if (owner == agent) {
          add(agent, "load x%d <- box[%d]".formatted(registers++, word));
        } else {
          add(agent, "put box@%d[%d] <- mine[0] bytes 8%s".formatted(owner, word, nb));
          maybe(agent, "quiet", "fence", "quiet", "order sys");
        }
      }
      case 2 -> {
        if (owner == agent) {
          add(agent, "move mine[16] <- box[%d] bytes 8".formatted(word));
          maybe(agent, "sync");
        } else {
          add(agent, "get mine[16] <- box@%d[%d] bytes 8%s".formatted(owner, word, nb));
          maybe(agent, "quiet");
          add(agent, "load x%d <- mine[16]".formatted(registers++));
        }
      }
      default -> {
        boolean bulk = owner != agent && engine.startsWith("sm");
        if (bulk) {
          maybe(agent, "order bulk");
        }
        add(
            agent,
            bulk
                ? "bulk box@%d[0] <- mine[0] bytes 16".formatted(owner)
                : "store box[%d] <- 6".formatted(owner == agent ? word : 0));
        maybe(agent, bulk ? "await bulk" : "sync");
      }
    }
  }

  private void signal(int a, int b) {
    int count = ++signals;
    String release = any("release", "release", "relaxed");
    String acquire = any("acquire", "acquire", "relaxed");
    switch (random.nextInt(3)) {
      case 0 -> {
        add(a, "atomic flag@%d[0] add 1".formatted(b));
        add(b, "wait flag[0] reached 1 " + acquire);
      }
      case 1 -> {
        add(
            a,
            "put box@%d[24] <- mine[8] bytes 8 notify N[%d] set %d%s"
                .formatted(b, count, count, any("", " nb")));
        add(b, "await N[%d]@%d reached %d %s".formatted(count, a, count, acquire));
      }
      default -> {
        String scope = any("", "", " gpu");
        maybe(a, "order sys", "sync", "fence");
        add(a, "signal S[%d]@%d set %d %s%s".formatted(count, b, count, release, scope));
        add(b, "await S[%d]@%d reached %d %s".formatted(count, a, count, acquire));
      }
    }
  }
}
