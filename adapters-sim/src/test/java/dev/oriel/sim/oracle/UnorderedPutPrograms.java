package dev.oriel.sim.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Texts of random programs whose ranks mostly put, and sometimes wait for their puts or signal each
 * other. So unordered requests follow some whose end is known to the lane and some whose end is
 * not.
 */
final class UnorderedPutPrograms {
  private final Random random;
  private final int world;
  private final int words;
  private final List<List<String>> bodies = new ArrayList<>();
  private final int[] counts = new int[64];
  private int registers;

  private UnorderedPutPrograms(long seed, int world, int words) {
    random = new Random(seed * 0x9E3779B97F4A7C15L + world);
    this.world = world;
    this.words = words;
    for (int r = 0; r < world; r++) {
      bodies.add(new ArrayList<>());
    }
  }

  /** A program of that many operations, on buffers of that many words. */
  static String text(long seed, int world, int words, int length) {
    return new UnorderedPutPrograms(seed, world, words).text(length);
  }

  private int below(int bound) {
    return random.nextInt(bound);
  }

  private String text(int length) {
    for (int i = 0; i < length; i++) {
      int agent = below(3) > 0 ? 0 : below(world);
      int other = (agent + 1 + below(world - 1)) % world;
      if (below(4) == 0) {
        edge(agent, other);
      } else {
        bodies.get(agent).add(operation(other));
      }
    }
    StringBuilder text = new StringBuilder("form random\nscratch flag[32]\n");
    text.append("scratch box[%d]\nscratch mine[%d]\n".formatted(8 * words, 8 * words));
    text.append("signal S[2]\nsignal N[1]\nlane main: host {\n");
    for (int r = 0; r < world; r++) {
      text.append("  if r == %d {\n".formatted(r));
      bodies.get(r).forEach(op -> text.append("    ").append(op).append('\n'));
      text.append("  }\n");
    }
    return text.append("}\n").toString();
  }

  /** A synchronisation for which the other agent waits. */
  private void edge(int from, int to) {
    if (below(2) == 0) {
      int count = ++counts[(from * 3 + to) * 2];
      bodies
          .get(from)
          .add("put box@%d[8] <- mine[0] bytes 8 notify N[0] set %d%s".formatted(to, count, nb()));
      bodies.get(to).add("await N[0]@%d reached %d acquire".formatted(from, count));
    } else {
      int count = ++counts[(from * 3 + to) * 2 + 1];
      bodies.get(from).add("signal S[0]@%d set %d release".formatted(to, count));
      bodies.get(to).add("await S[0]@%d reached %d acquire".formatted(from, count));
    }
  }

  private String nb() {
    return below(5) == 0 ? "" : " nb";
  }

  private String operation(int peer) {
    int word = 8 * below(words - 1);
    int own = word + 8;
    return switch (below(15)) {
      case 0, 1, 2, 3, 4 -> "put box@%d[%d] <- mine[0] bytes 8%s".formatted(peer, word, nb());
      case 5 -> "atomic flag@%d[0] add 1%s".formatted(peer, nb());
      case 6 -> "atomic mine[8] <- flag@%d[0] add 1%s".formatted(peer, nb());
      case 7 -> "get mine[%d] <- box@%d[%d] bytes 8%s".formatted(own, peer, word, nb());
      case 8, 9 -> "quiet";
      case 10 -> below(2) == 0 ? "fence" : "flush @%d local".formatted(peer);
      case 11 -> "flush @%d remote".formatted(peer);
      case 12 -> "load x%d <- box[%d]".formatted(registers++, word);
      case 13 ->
          below(2) == 0
              ? "load x%d <- flag[0] acquire".formatted(registers++)
              : "store box[%d] <- 7".formatted(word);
      default ->
          below(2) == 0
              ? "store mine[0] <- 9"
              : "move box@%d[%d] <- mine[0] bytes 8".formatted(peer, word);
    };
  }
}
