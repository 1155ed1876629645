package dev.oriel.sim.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Texts of random programs whose agents copy 16 bytes into memory that others poll. A word of them
 * announces the other word, earlier accesses, or nothing that it should.
 */
final class PlainCells {
  private final Random random;
  private final int world;
  private final List<List<String>> bodies = new ArrayList<>();
  private final int[] counts = new int[64];
  private int registers;

  private PlainCells(long seed, int world) {
    random = new Random(seed * 0x9E3779B97F4A7C15L + world);
    this.world = world;
    for (int r = 0; r < world; r++) {
      bodies.add(new ArrayList<>());
    }
  }

  static String text(long seed, int world) {
    return new PlainCells(seed, world).text();
  }

  private int below(int bound) {
    return random.nextInt(bound);
  }

  private String text() {
    int length = 1 + below(3);
    for (int i = 0; i < length; i++) {
      int agent = below(world);
      int other = (agent + 1 + below(world - 1)) % world;
      switch (below(7)) {
        case 0, 1, 2 -> polled(agent, other);
        case 3 -> signalled(agent, other);
        default -> bodies.get(agent).add(access(other));
      }
    }
    StringBuilder text = new StringBuilder("form cells\nscratch box[32]\nscratch mine[32]\n");
    text.append("signal S[1]\nlane main: ").append(below(8) == 0 ? "host" : "sm(32)");
    text.append(" {\n");
    for (int r = 0; r < world; r++) {
      text.append("  if r == %d {\n".formatted(r));
      bodies.get(r).forEach(op -> text.append("    ").append(op).append('\n'));
      text.append("  }\n");
    }
    return text.append("}\n").toString();
  }

  private String order(String strong) {
    return below(6) == 0 ? "relaxed" : strong;
  }

  /** The other agent polls a word that it receives, usually one of the same 16 bytes. */
  private void polled(int from, int to) {
    List<String> sends = bodies.get(from);
    List<String> waits = bodies.get(to);
    int flag = 8 * below(2);
    int count = ++counts[to];
    sends.add("store mine[%d] <- %d".formatted(flag, count));
    if (below(8) > 0) {
      sends.add("sync");
    }
    int at = below(8) == 0 ? 8 : 16 * below(2);
    sends.add("move box@%d[%d] <- mine[0] bytes 16".formatted(to, at));
    waits.add("wait box[%d] == %d %s".formatted(at + flag, count, order("acquire")));
    if (below(5) == 0) {
      waits.add("order sys");
    }
    if (below(4) > 0) {
      waits.add("load x%d <- box[%d]".formatted(registers++, below(6) == 0 ? 8 : at));
    }
  }

  private void signalled(int from, int to) {
    int count = ++counts[8 + 3 * from + to];
    bodies.get(from).add("signal S[0]@%d set %d %s".formatted(to, count, order("release")));
    bodies.get(to).add("await S[0]@%d reached %d %s".formatted(from, count, order("acquire")));
  }

  private String access(int peer) {
    int word = 8 * below(4);
    return switch (below(12)) {
      case 0 -> "move box@%d[%d] <- mine[0] bytes 16".formatted(peer, 16 * below(2));
      case 1 -> "move box@%d[%d] <- mine[0] bytes 8".formatted(peer, word);
      case 2 -> "move mine[16] <- box[%d] bytes 16".formatted(8 * below(3));
      case 3 -> "move mine[16] <- box@%d[%d] bytes 16".formatted(peer, 16 * below(2));
      case 4 -> "load x%d <- box[%d]".formatted(registers++, word);
      case 5, 6 -> "load x%d <- box[%d] %s".formatted(registers++, word, order("acquire"));
      case 7 -> "store box[%d] <- 0".formatted(word);
      case 8 -> "store box[%d] <- 5 %s".formatted(word, order("release"));
      case 9 -> "atomic box@%d[%d] %s".formatted(peer, word, below(2) == 0 ? "set 6" : "add 0");
      case 10 -> "order sys";
      default -> "sync";
    };
  }
}
