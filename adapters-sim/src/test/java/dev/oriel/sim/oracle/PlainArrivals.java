package dev.oriel.sim.oracle;

import java.util.List;
import java.util.Random;

/**
 * Texts of random programs in which agents of one rank arrive at one word: each changes it by an
 * atomic, so that a change carries on what earlier ones released. The agents are blocks of one or
 * two clusters and a lane beside them. Releases and acquires have any scope.
 */
final class PlainArrivals {
  private static final List<String> SCOPES =
      List.of(" cta", " cluster", " cluster", " gpu", " sys");
  private static final List<String> BESIDE = List.of("sm(1)", "sm(32)", "host");

  private static final int BESIDE_THEM = 4;

  private final Random random;
  private int registers;

  private PlainArrivals(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L + 7);
  }

  static String text(long seed) {
    return new PlainArrivals(seed).text();
  }

  private String text() {
    int lanes = random.nextInt(4) > 0 ? 2 : 4;
    int first = random.nextInt(lanes);
    int last = lanes == 2 ? first ^ 1 : (first + 2) % 4;
    StringBuilder text =
        new StringBuilder("form arrivals\nscratch box[32]\nscratch flag[32]\nscratch mine[32]\n")
            .append("lane block(i < %d): sm(32) cluster(2) {\n".formatted(lanes));
    text.append("  if i == %d {\n%s  }\n".formatted(first, arrival(first)));
    String carries = arrival(BESIDE_THEM);
    text.append("  if i == %d {\n%s  }\n".formatted(last, waiting(last, first)));
    return text.append("}\nlane beside: %s {\n%s}\n".formatted(any(BESIDE), carries)).toString();
  }

  /** The agent writes its place and arrives, by a fence, a release or none. */
  private String arrival(int agent) {
    StringBuilder text = new StringBuilder();
    if (agent == BESIDE_THEM && random.nextInt(3) == 0) {
      text.append("    wait flag[0] reached 1 relaxed\n");
    }
    if (random.nextInt(4) > 0) {
      text.append("    store %s <- 3\n".formatted(place(agent)));
    }
    if (random.nextInt(4) > 0) {
      text.append(fence());
    }
    boolean stores = agent != BESIDE_THEM && random.nextInt(4) == 0;
    return text.append(stores ? "    store flag[0] <- 1 release\n" : "    atomic flag@r[0] add 1\n")
        .toString();
  }

  private String waiting(int agent, int other) {
    StringBuilder text = new StringBuilder();
    boolean acquires = random.nextInt(3) == 0;
    String order = acquires ? "acquire" : "relaxed";
    String comparison = random.nextInt(8) == 0 ? "==" : "reached";
    text.append("    wait flag[0] %s %d %s\n".formatted(comparison, 1 + random.nextInt(2), order));
    if (!acquires || random.nextInt(4) == 0) {
      text.append(fence());
    }
    for (int of : List.of(other, BESIDE_THEM)) {
      if (random.nextInt(4) > 0) {
        text.append("    load x%d <- %s\n".formatted(registers++, place(of)));
      }
    }
    return text.append(random.nextInt(4) > 0 ? "" : "    store %s <- 1\n".formatted(place(agent)))
        .toString();
  }

  private String fence() {
    return "    order%s\n".formatted(any(SCOPES));
  }

  private static String place(int agent) {
    return agent != BESIDE_THEM ? "box[%d]".formatted(8 * agent) : "mine[0]";
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
