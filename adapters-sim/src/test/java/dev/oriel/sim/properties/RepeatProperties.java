package dev.oriel.sim.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** One channel is reused: with other sizes, in later launches, while a peer is late. */
@SuppressWarnings("InlineFormatString") // a program reads better as a whole
class RepeatProperties {
  /** A transfer of that many pieces of that many words. */
  record Phase(int pieces, int words) {}

  private static final String HEAD =
      """
      form repeated
      let D = 2
      input in[32]
      scratch box[32 * D]
      output out[32]
      signal DATA[1]
      signal FREE[1]
      lane main: sm(32) {
        state seq
        let q = (r + 1) % n
        let p = (r - 1) % n
      """;

  /** Place and count continue from phase to phase; {@code %3$s} is the place. */
  private static final String PHASE =
      """
      for t < %1$d {
        await FREE[0]@q reached seq + 1 - min(seq + 1, D) acquire
        move box@q[32 * ((%3$s) %% D)] <- in[0] bytes 8 * %2$d
        signal DATA[0]@q set seq + 1 release
        await DATA[0]@p reached seq + 1 acquire
        move out[0] <- box[32 * ((%3$s) %% D)] bytes 8 * %2$d
        set seq = seq + 1
        signal FREE[0]@p set seq release
      }
      """;

  private static String phases(List<Phase> phases, String place) {
    StringBuilder text = new StringBuilder(HEAD);
    phases.forEach(f -> text.append(PHASE.formatted(f.pieces, f.words, place)));
    return text.append("flush @q local\n}\n").toString();
  }

  @Provide
  Arbitrary<Phase> phases() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 3), Arbitraries.integers().between(0, 4))
        .as(Phase::new);
  }

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  private static Topology shape(int world, boolean link) {
    return Topology.parse(link ? "1x" + world : world + "x1");
  }

  @Property(tries = 60)
  void transfersOfAnySizesNeedNoBarrierBetweenThem(
      @ForAll @Size(min = 1, max = 4) List<@From("phases") Phase> phases,
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 4) int world,
      @ForAll @IntRange(min = 1, max = 2) int launches,
      @ForAll boolean link) {
    String text = phases(phases, "seq");
    assertThat(Judged.text(text, shape(world, link), profile, launches)).isEqualTo(Judged.HOLDS);
  }

  /** A phase that restarts at the first place reuses it before its credit. */
  @Property(tries = 40)
  void aRestartAtTheFirstPlaceIsFound(
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 8, max = 9) int world,
      @ForAll @IntRange(max = 1) int twice,
      @ForAll @IntRange(min = 1, max = 4) int words,
      @ForAll boolean link) {
    List<Phase> odd =
        List.of(new Phase(1 + 2 * twice, words), new Phase(1, 1), new Phase(2, words));
    String verdict = Judged.text(phases(odd, "t"), shape(world, link), profile, 1);
    assertThat(verdict).startsWith("race: ");
  }

  private static final String LAUNCHED =
      """
      form launched
      input in[8]
      scratch box[8]
      output out[8]
      signal DATA[1]
      signal FREE[1]
      ensure out[0] = in@((r - 1) %% n)[0] bytes 8
      lane main: sm(32) {
        let q = (r + 1) %% n
        let p = (r - 1) %% n
        await FREE[0]@q reached %1$s - 1 acquire
        move box@q[0] <- in[0] bytes 8
        signal DATA[0]@q set epoch release
        await DATA[0]@p reached %2$s acquire
        move out[0] <- box[0] bytes 8
        signal FREE[0]@p set epoch release
        flush @q local
      }
      """;

  @Provide
  Arbitrary<String> late() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 1), Arbitraries.integers().between(1, 30))
        .as("straggle rank=%d by=%d"::formatted);
  }

  @Property(tries = 60)
  void laterLaunchesHoldWithALatePeer(
      @ForAll("late") String late,
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 5) int world,
      @ForAll @IntRange(min = 2, max = 3) int launches,
      @ForAll boolean link) {
    String text = LAUNCHED.formatted("epoch", "epoch");
    String verdict =
        Judged.text(text, shape(world, link), profile, launches, late, TimeoutPolicy.NEVER);
    assertThat(verdict).isEqualTo(Judged.HOLDS);
  }

  /** A value awaited in the first launch still satisfies the await of the second. */
  @Property(tries = 40)
  void aConstantCountInEveryLaunchIsFound(
      @ForAll("late") String late,
      @ForAll("profiles") Profile profile,
      @ForAll @IntRange(min = 2, max = 5) int world,
      @ForAll boolean link) {
    String text = LAUNCHED.formatted("epoch", "1");
    assertThat(Judged.text(text, shape(world, link), profile, 1)).isEqualTo(Judged.HOLDS);
    String verdict = Judged.text(text, shape(world, link), profile, 3, late, TimeoutPolicy.NEVER);
    assertThat(verdict).containsPattern("^(race|overwrite|value): ");
  }
}
