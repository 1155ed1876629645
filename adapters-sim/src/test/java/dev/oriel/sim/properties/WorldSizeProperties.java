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

/** Shards of any total in worlds of any size: some are short, and some are empty. */
class WorldSizeProperties {
  /** Splits {@code %1$d} words into shards of {@code %2$s}; peers are {@code %3$s}. */
  private static final String SHARDS =
      """
      form shards
      let W = %1$d
      let S = %2$s
      let T = %2$s * n
      input in[8 * T]
      output out[8 * W]
      scratch box[8 * W]
      signal READY[1]
      signal DATA[1]
      ensure each p in all: out[8 * min(p * S, W)] = in@p[0] bytes 8 * min(S, W - min(p * S, W))
      lane main: sm(32) {
        let mine = min(S, W - min(r * S, W))
        signal READY[0]@all set epoch release
        for d < n {
          let q = (r + d) %3$s
          await READY[0]@q reached epoch acquire
          move box@q[8 * min(r * S, W)] <- in[0] bytes 8 * mine
          signal DATA[0]@q set epoch release
        }
        await DATA[0]@all reached epoch acquire
        move out[0] <- box[0] bytes 8 * W
        flush all local
      }
      """;

  @Provide
  Arbitrary<Integer> sizes() {
    return Arbitraries.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 24);
  }

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  private static Topology shape(int world, int gpus) {
    int each = world % gpus == 0 ? gpus : 1;
    return Topology.parse(world / each + "x" + each);
  }

  @Property(tries = 40)
  void everyWorldHoldsWithEveryNumberOfWords(
      @ForAll("sizes") int world,
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(max = 30) int words,
      @ForAll @IntRange(min = 1, max = 4) int gpus) {
    String text = SHARDS.formatted(words, "ceil(W, n)", "% n");
    assertThat(Judged.text(text, shape(world, gpus), profile, 2)).isEqualTo(Judged.HOLDS);
  }

  /** A mask in place of a modulus skips peers unless the world is a power of two. */
  @Property(tries = 40)
  void aMaskForAModulusIsFoundWhereTheWorldIsNoPowerOfTwo(
      @ForAll("sizes") int world, @ForAll("profiles") Profile profile) {
    String verdict =
        Judged.text(SHARDS.formatted(24, "ceil(W, n)", "& (n - 1)"), shape(world, 4), profile, 1);
    if (Integer.bitCount(world) == 1) {
      assertThat(verdict).isEqualTo(Judged.HOLDS);
    } else {
      assertThat(verdict).containsPattern("^(refused|deadlock): ");
    }
  }

  /** Shards that are rounded down omit the remainder. */
  @Property(tries = 40)
  void aTotalThatIsRoundedDownIsFound(
      @ForAll("sizes") int world, @ForAll @IntRange(min = 1, max = 30) int words) {
    String text =
        SHARDS
            .formatted(words, "ceil(W, n)", "% n")
            .replace("let mine = min(S, W - min(r * S, W))", "let mine = W / n");
    String verdict = Judged.text(text, shape(world, 2), Profile.L1, 1);
    if (words % world == 0) {
      assertThat(verdict).isEqualTo(Judged.HOLDS);
    } else {
      assertThat(verdict).containsPattern("^(refused|value): ");
    }
  }
}
