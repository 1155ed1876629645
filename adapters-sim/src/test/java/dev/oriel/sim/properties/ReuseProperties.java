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
 * Reuse of a source, a target or a staging place after the right completion holds; any other is
 * found.
 */
class ReuseProperties {
  private static final String FENCED = "fence; TOLD";

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  /** The memory of a call is reused after the quiet of one context. */
  @Property(tries = 150)
  void memoryIsReusableOnlyAfterTheQuietOfItsContext(
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 3) int world,
      @ForAll @IntRange(max = 3) int issued,
      @ForAll @IntRange(max = 3) int awaited,
      @ForAll boolean get) {
    String text =
        """
        form reuse
        scratch mine[32]
        scratch box[32]
        lane main: sm(32) {
          let q = (r + 1) %% n
          %s
          put box@q[8] <- mine[8] bytes 8 via %d nb
          quiet via %d
          store mine[0] <- 8
          for c < 4 { quiet via c }
        }
        """
            .formatted(
                get
                    ? "get mine[0] <- box@q[0] bytes 8 via %d nb".formatted(issued)
                    : "put box@q[0] <- mine[0] bytes 8 via %d nb".formatted(issued),
                awaited,
                awaited);
    String verdict = Judged.text(text, Topology.parse(world + "x1"), profile, 1);
    if (issued == awaited) {
      assertThat(verdict).isEqualTo(Judged.HOLDS);
    } else {
      assertThat(verdict).startsWith("race: ");
    }
  }

  @Provide
  Arbitrary<String> fences() {
    return Arbitraries.of(FENCED, "TOLD", "fence via 1; TOLD", "TOLD; fence", "order sys; TOLD");
  }

  /** The put is read before the signal after its fence, and so before the answer. */
  @Property(tries = 60)
  void onlyTheAnswerToAFencedSignalFreesTheSource(
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 3) int world,
      @ForAll("fences") String fence) {
    String text =
        """
        form answered
        scratch mine[8]
        scratch box[8]
        signal DATA[1]
        signal ACK[1]
        lane main: sm(32) {
          let q = (r + 1) % n
          let p = (r - 1) % n
          put box@q[0] <- mine[0] bytes 8 nb
          FENCE
          await DATA[0]@p reached 1 acquire
          signal ACK[0]@p set 1 release
          await ACK[0]@q reached 1 acquire
          store mine[0] <- 8
          quiet
        }
        """
            .replace("FENCE", fence.replace("; ", "\n"))
            .replace("TOLD", "signal DATA[0]@q set 1 release");
    String verdict = Judged.text(text, Topology.parse(world + "x1"), profile, 1);
    if (fence.equals(FENCED)) {
      assertThat(verdict).isEqualTo(Judged.HOLDS);
    } else {
      assertThat(verdict).startsWith("race: ").contains("the interface's fetch");
    }
  }

  /** A staging place is refilled after its own reader's credit, not after another reader's. */
  @Property(tries = 120)
  void stagingIsReusableOnlyAfterTheCreditOfItsReader(
      @ForAll("profiles") Profile profile,
      @ForAll boolean link,
      @ForAll @IntRange(min = 2, max = 4) int readers,
      @ForAll @IntRange(max = 3) int wrong,
      @ForAll boolean right) {
    int other = 1 + wrong % (readers - 1);
    String text =
        """
        form staging
        let G = %d
        input in[8 * G]
        scratch box[8 * G]
        output out[8 * G]
        signal DATA[G]
        signal FREE[G]
        lane part(g < G): sm(32) {
          let q = (r + 1) %% n
          let p = (r - 1) %% n
          await FREE[(g + %d) %% G]@q reached epoch - 1 acquire
          move box@q[8 * g] <- in[8 * g] bytes 8
          signal DATA[g]@q set epoch release
          await DATA[g]@p reached epoch acquire
          move out[8 * g] <- box[8 * g] bytes 8
          signal FREE[g]@p set epoch release
          flush @q local
        }
        """
            .formatted(readers, right ? 0 : other);
    String verdict = Judged.text(text, Topology.parse(link ? "1x3" : "3x1"), profile, 3);
    if (right) {
      assertThat(verdict).isEqualTo(Judged.HOLDS);
    } else {
      assertThat(verdict).containsPattern("^(race|overwrite): ");
    }
  }
}
