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
 * Two streams, windows and groups at the same time: separate resources do not interfere, and a
 * shared one is found. Also, one rank tears down as soon as its own work is done.
 */
@SuppressWarnings("InlineFormatString") // a program reads better as a whole
class InterleavedProperties {
  private static final String TWO =
      """
      form two
      let K = %1$d
      input in[16 * K]
      output out[16 * K]
      window first[8 * K]
      window second[8 * K]
      signal S[2]
      barrier one
      barrier other
      ensure out[0] = in@((r - 1) %% n)[0] bytes 16 * K
      lane a: sm(32) {
        let q = (r + 1) %% n
        barrier one
        for t < K {
          put first@q[8 * t] <- in[8 * t] bytes 8 via 1 nb
        }
        quiet via 1
        signal S[0]@q set epoch release
        await S[0]@((r - 1) %% n) reached epoch acquire
        move out[0] <- first[0] bytes 8 * K
      }
      lane b: sm(32) {
        let q = (r + 1) %% n
        barrier %4$s
        for t < K {
          put %2$s@q[8 * t] <- in[8 * (K + t)] bytes 8 via 1 nb
        }
        quiet via 1
        signal S[%3$d]@q set epoch release
        await S[%3$d]@((r - 1) %% n) reached epoch acquire
        move out[8 * K] <- %2$s[0] bytes 8 * K
      }
      """;

  private static final String TEARDOWN =
      """
      form teardown
      let K = %1$d
      scratch mine[8 * K + 8]
      scratch box[8 * K + 8]
      barrier begin
      barrier done
      lane main: sm(32) {
        let q = (r + %2$d) %% n
        barrier begin
        for t < K {
          %3$s
        }
        quiet
        %4$s
        for t < K {
          store box[8 * t] <- 57005
        }
      }
      """;

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  private static Topology shape(int world, boolean link) {
    return Topology.parse(link ? "1x" + world : world + "x1");
  }

  @Property(tries = 40)
  void separateResourcesDoNotInterfere(
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 1, max = 4) int world,
      @ForAll @IntRange(min = 1, max = 3) int words,
      @ForAll @IntRange(min = 1, max = 3) int launches,
      @ForAll boolean link) {
    String text = TWO.formatted(words, "second", 1, "other");
    assertThat(Judged.text(text, shape(world, link), profile, launches)).isEqualTo(Judged.HOLDS);
  }

  /** One window, one slot, or one barrier for both. */
  @Property(tries = 40)
  void aSharedResourceIsFound(
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 4) int world,
      @ForAll @IntRange(min = 1, max = 3) int words,
      @ForAll @IntRange(max = 2) int shared,
      @ForAll boolean link) {
    String text =
        TWO.formatted(
            words,
            shared == 0 ? "first" : "second",
            shared == 1 ? 0 : 1,
            shared == 2 ? "one" : "other");
    String verdict = Judged.text(text, shape(world, link), profile, 2);
    assertThat(verdict).containsPattern("^(race|writers|refused|overwrite|value): ");
  }

  @Property(tries = 60)
  void anEarlyTeardownIsFound(
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 5) int world,
      @ForAll @IntRange(min = 1, max = 3) int words,
      @ForAll @IntRange(max = 8) int away,
      @ForAll boolean get,
      @ForAll boolean link,
      @ForAll boolean together) {
    String call =
        get
            ? "get mine[8 * t] <- box@q[8 * t] bytes 8 nb"
            : "put box@q[8 * t] <- mine[8 * t] bytes 8 nb";
    int distance = 1 + away % (world - 1);
    String text = TEARDOWN.formatted(words, distance, call, together ? "barrier done" : "");
    String verdict = Judged.text(text, shape(world, link), profile, 1);
    if (together) {
      assertThat(verdict).isEqualTo(Judged.HOLDS);
    } else {
      assertThat(verdict).startsWith("race: ");
    }
  }
}
