package dev.oriel.sim.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Chunks through places with credits, along rings, chains and trees, and with changing parameters.
 */
class FlowProperties {
  /**
   * The receiver and the sender of a rank; {@code first} and {@code last} have only one of them.
   */
  enum Workload {
    RING("0 == 0", "(r + 1) % n", "0 == 0", "(r - 1) % n"),
    CHAIN("r + 1 < n", "(r + 1) % n", "r > 0", "(r - 1) % n"),
    // The left child of a heap; each rank has one parent, so that every edge is used by one pair.
    TREE("2 * r + 1 < n", "(2 * r + 1) % n", "r % 2 == 1", "(r / 2)");

    final String sends;
    final String to;
    final String receives;
    final String from;

    Workload(String sends, String to, String receives, String from) {
      this.sends = sends;
      this.to = to;
      this.receives = receives;
      this.from = from;
    }
  }

  private static final String SEND =
      """
      if %1$s {
        await FREE[0]@(%2$s) reached sent + 1 - min(sent + 1, D) %5$s acquire
        move box@(%2$s)[8 * (sent %% D)] <- in[8 * t] bytes 8
        set sent = sent + 1
        signal DATA[0]@(%2$s) set sent release
      }
      """;

  private static final String RECEIVE =
      """
      if %3$s {
        await DATA[0]@(%4$s) reached rcvd + 1 acquire
        move out[8 * t] <- box[8 * (rcvd %% D)] bytes 8
        set rcvd = rcvd + 1
        signal FREE[0]@(%4$s) set rcvd release
      }
      """;

  private static String flow(Workload w, int chunks, int depth, boolean together, String more) {
    String each =
        together
            ? "for t < T {\n" + SEND + RECEIVE + "}\n"
            : "for t < T {\n" + SEND + "}\nfor t < T {\n" + RECEIVE + "}\n";
    return """
    form flow
    let T = %d
    let D = %d
    input in[8 * T]
    output out[8 * T]
    scratch box[8 * D]
    signal DATA[1]
    signal FREE[1]
    lane main: sm(32) {
      state sent
      state rcvd
    """
            .formatted(chunks, depth)
        + each.formatted(w.sends, w.to, w.receives, w.from, more)
        + "flush peers local\n}\n";
  }

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  private static Topology shape(int world, boolean link) {
    return Topology.parse(link ? "1x" + world : world + "x1");
  }

  @Property(tries = 100)
  void creditsHoldOnEveryWorkload(
      @ForAll Workload workload,
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 6) int world,
      @ForAll @IntRange(max = 5) int chunks,
      @ForAll @IntRange(min = 1, max = 3) int depth,
      @ForAll boolean link) {
    String text = flow(workload, chunks, depth, true, "");
    assertThat(Judged.text(text, shape(world, link), profile, 2)).isEqualTo(Judged.HOLDS);
  }

  /** Sending all before receiving any needs room for all, but only on a ring. */
  @Property(tries = 60)
  void onlyARingNeedsRoomForAll(
      @ForAll Workload workload,
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 5) int world,
      @ForAll @IntRange(min = 1, max = 4) int chunks,
      @ForAll @IntRange(min = 1, max = 4) int depth,
      @ForAll boolean link) {
    String verdict =
        Judged.text(flow(workload, chunks, depth, false, ""), shape(world, link), profile, 1);
    if (workload == Workload.RING && chunks > depth) {
      assertThat(verdict).startsWith("deadlock: ");
    } else {
      assertThat(verdict).isEqualTo(Judged.HOLDS);
    }
  }

  /** A wait for one credit too many stops every rank; one too few overwrites unread data. */
  @Property(tries = 40)
  void aMiscountedCreditIsFound(
      @ForAll Workload workload,
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 4, max = 5) int world,
      @ForAll boolean many,
      @ForAll boolean link) {
    String text = flow(workload, 4, 1, true, many ? "+ 1" : "- min(sent, 1)");
    // In a small ring the chain through all other ranks still orders the overwrite.
    int ranks = workload == Workload.RING ? 2 * world : world;
    String verdict = Judged.text(text, shape(ranks, link), profile, 1);
    assertThat(verdict).startsWith(many ? "deadlock: " : "race: ");
  }
}
