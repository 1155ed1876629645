package dev.oriel.sim.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** A rank crashes, or is aborted, at any of its steps: every blocked call ends, for one reason. */
class FailureProperties {
  private static final int STEPS = 40;

  /** Every call that blocks: awaits, waits, locks, quiets, flushes, barriers and joins. */
  private static final String ALL_THAT_BLOCKS =
      """
      form blocking
      scratch box[32]
      scratch mine[32]
      signal S[1]
      barrier all_in
      lane main: sm(32) {
        let q = (r + 1) % n
        put box@q[0] <- mine[0] bytes 8 nb
        quiet
        signal S[0]@q set epoch release
        await S[0]@((r - 1) % n) reached epoch acquire
        lock box@0[8]
        unlock box@0[8]
        barrier all_in
        move box@q[16] <- mine[16] bytes 8
        flush @q remote
        atomic box@q[24] add 1
        wait box[24] >= epoch acquire
      }
      lane other: sm(32) {
        join main
      }
      """;

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  private static Topology shape(int world, boolean link) {
    return Topology.parse(link ? "1x" + world : world + "x1");
  }

  @Property(tries = 4)
  void everyBlockingCallEnds(
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 3) int world,
      @ForAll boolean link,
      @ForAll boolean crash) {
    for (int rank = 0; rank < world; rank++) {
      for (int after = 0; after <= STEPS; after++) {
        String fault = "%s rank=%d after=%d".formatted(crash ? "crash" : "abort", rank, after);
        String verdict =
            Judged.text(
                ALL_THAT_BLOCKS, shape(world, link), profile, 2, fault, TimeoutPolicy.QUIESCENCE);
        assertThat(verdict).as("%s", fault).doesNotStartWith("deadlock");
      }
    }
  }

  /** Without timeouts, waiting ranks name the rank that failed, and no other failed. */
  @Property(tries = 4)
  void endlessWaitsNameTheRankThatFailed(
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 3) int world,
      @ForAll boolean link) {
    int waited = 0;
    for (int rank = 0; rank < world; rank++) {
      for (int after = 0; after <= STEPS; after++) {
        String fault = "crash rank=%d after=%d".formatted(rank, after);
        String verdict =
            Judged.text(
                ALL_THAT_BLOCKS, shape(world, link), profile, 2, fault, TimeoutPolicy.NEVER);
        if (verdict.startsWith("deadlock: ")) {
          waited++;
          assertThat(verdict).as("%s", fault).contains("rank=" + rank).contains("crashed");
          assertThat(verdict)
              .as("%s", fault)
              .doesNotContainPattern(
                  "rank=[^%d], lane=\\w+,( launch=\\d+ has stopped| which[^,;]*, crashed)"
                      .formatted(rank));
        }
      }
    }
    assertThat(waited).isGreaterThan(world);
  }
}
