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

/** Counters that start shortly before 2^31, 2^32, 2^63 and 2^64 continue after the wrap. */
class WrapProperties {
  /**
   * The first launch initialises the counter; then {@code %2$s} compares, in six steps per launch.
   */
  private static final String COUNTER =
      """
      form counter
      let X = %1$s
      input in[8]
      output out[8]
      scratch box[8]
      signal DATA[1]
      signal FREE[1]
      barrier seeded
      ensure out[0] = in@((r - 1) %% n)[0] bytes 8
      lane main: sm(32) {
        state steps
        let q = (r + 1) %% n
        let p = (r - 1) %% n
        if epoch == 1 {
          signal DATA[0]@q set X release
          signal FREE[0]@p set X release
          await DATA[0]@p == X acquire
          await FREE[0]@q == X acquire
        }
        barrier seeded
        for t < 6 {
          await FREE[0]@q %2$s X + steps acquire
          move box@q[0] <- in[0] bytes 8
          set steps = steps + 1
          signal DATA[0]@q set X + steps release
          await DATA[0]@p %2$s X + steps acquire
          move out[0] <- box[0] bytes 8
          signal FREE[0]@p set X + steps release
        }
        flush @q local
      }
      """;

  /** Packets whose 32-bit flags count up; {@code %2$s} computes a flag from a count. */
  private static final String PACKETS =
      """
      form packets
      let X = %1$s
      input in[16]
      output out[16]
      scratch ll[128]
      ensure out[0] = in@(r ^ 1)[0] bytes 16
      lane main: sm(32) {
        let q = r ^ 1
        let c = X + epoch
        move ll@q[64 * (epoch & 1)] pkt16(%2$s) <- in[0] bytes 16
        move out[0] <- ll[64 * (epoch & 1)] pkt16(%2$s) bytes 16
      }
      """;

  @Provide
  Arbitrary<String> wraps() {
    return Arbitraries.of("0x80000000", "0x100000000", "0x8000000000000000", "0");
  }

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  private static Topology shape(int world, boolean link) {
    return Topology.parse(link ? "1x" + world : world + "x1");
  }

  @Property(tries = 60)
  void countersContinueAcrossEveryWrap(
      @ForAll("wraps") String wrap,
      @ForAll @IntRange(max = 14) int before,
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 3) int world,
      @ForAll boolean link) {
    String text = COUNTER.formatted(wrap + " - " + before, "reached");
    assertThat(Judged.text(text, shape(world, link), profile, 2)).isEqualTo(Judged.HOLDS);
  }

  /** After the wrap, a plain comparison accepts an old value as new, or never accepts a new one. */
  @Property(tries = 30)
  void aPlainComparisonIsFoundWhereTheCounterWraps(
      @ForAll("wraps") String wrap,
      @ForAll @IntRange(min = 1, max = 11) int before,
      @ForAll("profiles") Profile profile,
      @ForAll boolean link) {
    String text = COUNTER.formatted(wrap + " - " + before, ">=");
    String verdict = Judged.text(text, shape(2, link), profile, 2);
    if (wrap.equals("0")) {
      assertThat(verdict).containsPattern("^(race|overwrite|deadlock|value): ");
    } else {
      assertThat(verdict).isEqualTo(Judged.HOLDS);
    }
  }

  @Property(tries = 30)
  void flagsContinueAcrossTheirWrap(
      @ForAll @IntRange(max = 5) int before,
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 1, max = 2) int pairs) {
    String text = PACKETS.formatted("0x100000000 - " + before, "nz32(c)");
    assertThat(Judged.text(text, shape(2 * pairs, true), profile, 4)).isEqualTo(Judged.HOLDS);
  }

  /** Memory holds 0 before the first write, so no flag may be 0. */
  @Property(tries = 12)
  void aFlagThatBecomesZeroIsFound(
      @ForAll @IntRange(min = 1, max = 2) int before, @ForAll("profiles") Profile profile) {
    String text = PACKETS.formatted("0x100000000 - " + before, "c & 0xffffffff");
    assertThat(Judged.text(text, shape(2, true), profile, 4))
        .containsPattern("^(race|overwrite|value): ");
  }
}
