package dev.oriel.sim.oracle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Texts of random programs of two or three agents: a series of accesses and of synchronisations
 * from one agent to another, some of which are then weakened, swapped or left out.
 */
public final class PlainPrograms {
  private static final List<String> ENGINES = List.of("host", "sm(32)");

  private final Random random;
  private final int world;
  private final boolean rdma;
  private final boolean wide;
  private final boolean callers;
  private final String engine;
  private final List<List<String>> bodies = new ArrayList<>();
  private final int[] counts = new int[64];
  private int registers;

  private PlainPrograms(long seed, int world, boolean rdma) {
    random = new Random(seed * 0x9E3779B97F4A7C15L + world * 2L + (rdma ? 1 : 0));
    this.world = world;
    this.rdma = rdma;
    wide = rdma || random.nextInt(4) > 0;
    callers = random.nextInt(5) == 0;
    engine = any(ENGINES);
    for (int r = 0; r < world; r++) {
      bodies.add(new ArrayList<>());
    }
  }

  public static String text(long seed, int world, boolean rdma) {
    return new PlainPrograms(seed, world, rdma).text();
  }

  private int below(int bound) {
    return random.nextInt(bound);
  }

  private <T> T any(List<T> of) {
    return of.get(below(of.size()));
  }

  private String text() {
    int length = (rdma ? 1 : 3) + below(3);
    for (int i = 0; i < length; i++) {
      int agent = below(world);
      int other = (agent + 1 + below(world - 1)) % world;
      if (below(5) < 2) {
        edge(agent, other);
      } else {
        bodies.get(agent).add(access(agent, other));
      }
    }
    for (List<String> body : bodies) {
      if (body.size() > 1 && below(5) == 0) {
        int at = below(body.size() - 1);
        Collections.swap(body, at, at + 1);
      }
      if (!body.isEmpty() && below(12) == 0) {
        body.remove(below(body.size()));
      }
    }
    StringBuilder text = new StringBuilder("form random\nscratch box[32]\nscratch flag[32]\n");
    text.append(callers ? "input in[8]\noutput out[8]\n" : "").append("scratch mine[32]\n");
    text.append("scratch done[32]\n");
    text.append("signal S[2]\nsignal N[1]\nbarrier B\n");
    if (callers && below(2) == 0) {
      text.append("ensure ").append(condition()).append("out[0] = in@((r + 1) % n)[0] bytes 8\n");
    }
    text.append("lane main: ").append(engine).append(" {\n");
    for (int r = 0; r < world; r++) {
      text.append("  if r == %d {\n".formatted(r));
      bodies.get(r).forEach(op -> text.append("    ").append(op).append('\n'));
      text.append("  }\n");
    }
    return text.append("}\n").toString();
  }

  private String condition() {
    return switch (below(6)) {
      case 0 -> "if mine[0] == %d: ".formatted(3 + below(6));
      case 1 -> "if box[%d] != 0: ".formatted(8 * below(2));
      case 2 -> "if out[0] != 0: ";
      default -> "";
    };
  }

  private String order(String strong) {
    return below(6) == 0 ? "relaxed" : strong;
  }

  private String scope() {
    return wide || below(6) > 0 ? "" : " gpu";
  }

  private int next(int from, int to, int slot) {
    return ++counts[(from * 3 + to) * 4 + slot];
  }

  /** A synchronisation for which the other agent waits. */
  private void edge(int from, int to) {
    List<String> sends = bodies.get(from);
    List<String> waits = bodies.get(to);
    int index = below(2);
    switch (below(rdma ? 8 : 7)) {
      case 0 -> {
        int count = next(0, to, 3);
        String change = below(3) == 0 ? "set " + count : "add 1";
        sends.add(below(3) > 0 ? "fence" : "quiet");
        sends.add("atomic flag@%d[0] %s".formatted(to, change));
        waits.add("wait flag[0] reached %d %s".formatted(count, order("acquire")));
      }
      case 1 -> {
        int count = next(from, to, 2);
        String how = below(2) == 0 ? "set " + count : "add 1";
        sends.add("put box@%d[8] <- mine[0] bytes 8 notify N[0] %s%s".formatted(to, how, nb()));
        waits.add("await N[0]@%d reached %d %s".formatted(from, count, order("acquire")));
      }
      case 6 -> {
        // The other agent observes nothing; only the sender's source may be reused.
        int count = next(from, from, 0);
        sends.add("put box@%d[8] <- mine[0] bytes 8 counter done[0]%s".formatted(to, nb()));
        if (below(4) == 0) {
          sends.add(below(2) == 0 ? "quiet" : "load x%d <- done[0] acquire".formatted(registers++));
        } else {
          sends.add("wait done[0] reached %d %s".formatted(count, order("acquire")));
        }
        sends.add("store mine[0] <- 9");
      }
      default -> {
        int count = next(from, to, index);
        String change = below(4) == 0 ? "add 1" : "set " + count;
        sends.add(
            "signal S[%d]@%d %s %s%s".formatted(index, to, change, order("release"), scope()));
        waits.add(
            "await S[%d]@%d %s %d %s%s"
                .formatted(
                    index,
                    from,
                    below(8) == 0 ? "==" : "reached",
                    count,
                    order("acquire"),
                    scope()));
      }
    }
  }

  private String nb() {
    return (below(5) == 0 ? " via 1" : "") + (below(2) == 0 ? " nb" : "");
  }

  private String bulk(int peer) {
    String copy =
        switch (below(4)) {
          case 0 -> "bulk mine[0] <- box[0] bytes 16";
          case 1 -> "bulk mine[16] <- box@%d[0] bytes 16".formatted(peer);
          default -> "bulk box@%d[0] <- mine[0] bytes 16".formatted(peer);
        };
    return switch (below(5)) {
      case 0 -> "order bulk";
      case 1 -> "await bulk";
      case 2 -> copy;
      case 3 -> copy + "\n    await bulk";
      default -> "order bulk\n    " + copy + "\n    await bulk";
    };
  }

  private String access(int me, int peer) {
    int word = 8 * below(2);
    String own = below(2) == 0 ? "box" : "mine";
    if (!rdma && engine.startsWith("sm") && below(4) == 0) {
      return bulk(peer);
    }
    return switch (below(callers ? 20 : 18)) {
      case 0, 1 -> "move box@%d[%d] <- mine[0] bytes 8".formatted(peer, word);
      case 2 -> "move box[%d] <- mine[0] bytes 8".formatted(word);
      case 3 -> "move mine[0] <- box[%d] bytes 8".formatted(word);
      case 4, 5 -> "load x%d <- box[%d]".formatted(registers++, word);
      case 6 -> "store %s[%d] <- %d".formatted(own, word, 3 + below(3));
      case 7 -> "store mine[0] <- %d".formatted(6 + below(3));
      case 8 -> "flush @%d %s".formatted(peer, below(2) == 0 ? "local" : "remote");
      case 9 -> "put box@%d[%d] <- mine[0] bytes 8%s".formatted(peer, word, nb());
      case 10 -> "get mine[%d] <- box@%d[%d] bytes 8%s".formatted(word, peer, word, nb());
      case 11 -> "atomic mine[8] <- flag@%d[0] add 1%s".formatted(peer, nb());
      case 12 ->
          below(3) == 0
              ? "order" + (below(2) == 0 ? " sc" : "") + (wide || below(3) > 0 ? " sys" : " gpu")
              : below(2) == 0 ? "fence" : "quiet";
      case 13 -> below(2) == 0 ? "sync" : "atomic flag@%d[0] cas 0, 1".formatted(peer);
      case 14 -> "read x%d <- S[0]@%d %s".formatted(registers++, peer, order("acquire"));
      case 15 ->
          "load x%d <- flag[0] %s".formatted(registers++, order("acquire"))
              + (below(3) == 0 ? "\n    load x%d <- flag[0]".formatted(registers++) : "");
      case 16 ->
          below(2) == 0
              ? "store flag[0] <- 1 " + order("release")
              : below(2) == 0 ? "store flag[0] <- 1" : "load x%d <- flag[0]".formatted(registers++);
      case 17 ->
          below(3) == 0
              ? below(3) > 0 ? "barrier B" : "unlock flag@%d[8]".formatted(Math.min(me, peer))
              : "lock flag@%d[8]%s\n    store mine[8] <- %d\n    unlock flag@%d[8]%s"
                  .formatted(Math.min(me, peer), scope(), me + 1, Math.min(me, peer), scope());
      case 18 -> "move out@%d[0] <- in[0] bytes 8".formatted(peer);
      default ->
          below(2) == 0 ? "store out[0] <- 1" : "put out@%d[0] <- in[0] bytes 8 nb".formatted(peer);
    };
  }
}
