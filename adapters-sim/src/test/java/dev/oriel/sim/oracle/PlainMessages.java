package dev.oriel.sim.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Texts of random programs over RDMA whose agents put 8 or 16 bytes into memory that others poll. A
 * word of them announces the other word, earlier accesses, or nothing that it should.
 */
final class PlainMessages {
  private final Random random;
  private final int world;
  private final List<List<String>> bodies = new ArrayList<>();
  private final int[] counts = new int[64];
  private int registers;

  private PlainMessages(long seed, int world) {
    random = new Random(seed * 0x9E3779B97F4A7C15L + world);
    this.world = world;
    for (int r = 0; r < world; r++) {
      bodies.add(new ArrayList<>());
    }
  }

  static String text(long seed, int world) {
    return new PlainMessages(seed, world).text();
  }

  private int below(int bound) {
    return random.nextInt(bound);
  }

  private String text() {
    int length = 1 + below(2);
    for (int i = 0; i < length; i++) {
      int agent = below(world);
      int other = (agent + 1 + below(world - 1)) % world;
      switch (below(6)) {
        case 0, 1, 2 -> polled(agent, other);
        case 3 -> signalled(agent, other);
        default -> bodies.get(agent).add(access(other));
      }
    }
    StringBuilder text = new StringBuilder("form messages\nscratch box[32]\nscratch mine[32]\n");
    text.append("signal S[1]\nlane main: ").append(below(2) == 0 ? "host" : "sm(32)");
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

  private String sent(int peer, int at, int from, int bytes) {
    String kind = below(3) > 0 ? "put" : "move";
    String how = kind.equals("put") ? (below(5) == 0 ? " via 1" : "") + " nb" : "";
    return "%s box@%d[%d] <- mine[%d] bytes %d%s".formatted(kind, peer, at, from, bytes, how);
  }

  /** The other agent polls a word that it receives, usually one of the same message. */
  private void polled(int from, int to) {
    List<String> sends = bodies.get(from);
    List<String> waits = bodies.get(to);
    int flag = below(3) == 0 ? 0 : 8;
    int count = ++counts[to];
    int at = 8 * below(3);
    if (below(4) == 0) {
      sends.add(sent(to, 8 * below(3), 16, 8));
      if (below(2) == 0) {
        sends.add(below(2) == 0 ? "fence" : "quiet");
      }
    }
    sends.add("store mine[%d] <- %d".formatted(flag, count));
    sends.add(sent(to, at, 0, 16));
    if (below(6) == 0) {
      sends.add("quiet");
    }
    waits.add("wait box[%d] == %d %s".formatted(at + flag, count, order("acquire")));
    if (below(5) == 0) {
      waits.add("order sys");
    }
    if (below(4) > 0) {
      int read = below(4) == 0 ? 8 * below(4) : at + 8 - flag;
      waits.add("load x%d <- box[%d]".formatted(registers++, read));
    }
  }

  private void signalled(int from, int to) {
    int count = ++counts[8 + 3 * from + to];
    bodies.get(from).add("signal S[0]@%d set %d %s".formatted(to, count, order("release")));
    bodies.get(to).add("await S[0]@%d reached %d %s".formatted(from, count, order("acquire")));
  }

  private String access(int peer) {
    int word = 8 * below(4);
    return switch (below(11)) {
      case 0, 1 -> sent(peer, 8 * below(3), 0, 16);
      case 2 -> sent(peer, word, 0, 8);
      case 3 -> "get mine[%d] <- box@%d[%d] bytes 8 nb".formatted(8 * below(2), peer, word);
      case 4 ->
          "get box[%d] <- mine@%d[0] bytes 8%s".formatted(word, peer, below(3) > 0 ? " nb" : "");
      case 5 -> "load x%d <- box[%d]".formatted(registers++, word);
      case 6 -> "load x%d <- box[%d] %s".formatted(registers++, word, order("acquire"));
      case 7 -> "store mine[%d] <- 7".formatted(8 * below(2));
      case 8 -> below(2) == 0 ? "fence" : "quiet";
      case 9 -> "atomic box@%d[%d] %s".formatted(peer, word, below(2) == 0 ? "set 6" : "add 1");
      default -> below(2) == 0 ? "order sys" : "quiet via 1";
    };
  }
}
