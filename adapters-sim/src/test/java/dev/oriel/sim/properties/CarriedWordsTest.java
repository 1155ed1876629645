package dev.oriel.sim.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Words that pass through registers, slots, atomics and requests: a post-condition follows their
 * origin, and distinguishes them from equal words of another place.
 */
class CarriedWordsTest {
  private static final List<Profile> PROFILES =
      List.of(Profile.L0, Profile.L1, Profile.L2, Profile.L3);

  private static final String FORM =
      """
      form carried
      input in[16]
      output out[8]
      scratch w[8]
      scratch res[8]
      scratch box[32]
      signal S[1]
      barrier all_in
      ensure out[0] = %s bytes 8
      lane main: sm(32) {
        state s
        load a <- in[%d] <= %d else 1
        %s
        barrier all_in
      }
      """;

  private static final String OWN = "in[0]";
  private static final String NEXT = "in@((r + 1) % n)[0]";
  private static final String BEFORE = "@((r + n - 1) % n)";

  /** Paths from a register to an output that do not change the word. */
  private static Stream<Arguments> ways() {
    return Stream.of(
            way(OWN, "store out[0] <- a"),
            way(OWN, "let b = a let c = b store out[0] <- c"),
            way(OWN, "set s = a sync let b = s store out[0] <- b"),
            way(OWN, "store box[8] <- a sync move out[0] <- box[8] bytes 8"),
            way(OWN, "store w[0] <- a release load b <- w[0] acquire store out[0] <- b"),
            way(
                OWN,
                "store box[0] width 4 <- a load b <- in[4] width 4 store out[4] width 4 <- b"
                    + " load c <- box[0] width 4 store out[0] width 4 <- c"),
            way(
                NEXT,
                "store box[0] <- a put box%s[8] <- box[0] bytes 8 barrier all_in"
                    + " load b <- box[8] store out[0] <- b"),
            way(
                NEXT,
                "atomic w%s[0] set a barrier all_in load b <- w[0] acquire store out[0] <- b"),
            way(NEXT, "atomic w%s[0] set a barrier all_in move out[0] <- w[0] bytes 8"),
            way(
                NEXT,
                "atomic w[0] set 99 barrier all_in atomic res[0] <- w%s[0] cas 99, a quiet"
                    + " barrier all_in move out[0] <- w[0] bytes 8"),
            way(
                NEXT,
                "atomic w[0] set a barrier all_in atomic res[0] <- w@((r + 1) % n)[0] cas 99, 5"
                    + " quiet barrier all_in move out[0] <- res[0] bytes 8"),
            way(
                NEXT,
                "atomic w[0] set a barrier all_in atomic res[0] <- w@((r + 1) % n)[0] set 7"
                    + " quiet load b <- res[0] store out[0] <- b"),
            way(
                NEXT,
                "atomic w[0] set a barrier all_in atomic res[0] <- w@((r + 1) % n)[0] fetch"
                    + " quiet move out[0] <- res[0] bytes 8"),
            way(
                NEXT,
                "atomic w[0] set a barrier all_in atomic res[0] <- w@((r + 1) % n)[0] add 0"
                    + " quiet barrier all_in move out[0] <- res[0] bytes 8"),
            way(
                NEXT,
                "signal S[0]%s set a release barrier all_in read b <- S[0]@((r + 1) % n) acquire"
                    + " store out[0] <- b"),
            way(
                NEXT,
                "put box%s[8] <- box[0] bytes 8 notify S[0] set a barrier all_in"
                    + " read b <- S[0]@((r + 1) % n) acquire store out[0] <- b"))
        .flatMap(way -> Stream.of("1x2", "2x1").map(world -> arguments(world, way)));
  }

  private record Way(String from, String body) {}

  private static Way way(String from, String body) {
    return new Way(from, body.replace("%s", BEFORE));
  }

  private static Arguments arguments(String world, Way way) {
    return Arguments.of(world, way.from, way.body);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void anUnchangedWordSatisfiesThePostCondition(String world, String from, String body) {
    for (Profile profile : PROFILES) {
      assertThat(judged(world, profile, from, 0, 50, body)).isEqualTo(Judged.HOLDS);
    }
  }

  /** All words are 0: only their origin differs. */
  @ParameterizedTest
  @MethodSource("ways")
  void anEqualWordOfAnotherPlaceIsWrong(String world, String from, String body) {
    for (Profile profile : PROFILES) {
      assertThat(judged(world, profile, from, 8, 0, body)).startsWith("value: wrong byte");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a + 0",
        "a * 1",
        "a & 0 - 1",
        "(a + 5) - 5",
        "min(a, a)",
        "max(a, 0)",
        "(a ^ 77) ^ 77",
        "(a << 8) >> 8",
        "a % 64",
        "(3 * a) / 3"
      })
  void aComputedWordIsComparedByValue(String computed) {
    for (Profile profile : PROFILES) {
      String store = "store out[0] <- %s".formatted(computed);
      assertThat(judged("1x2", profile, OWN, 0, 50, store)).isEqualTo(Judged.HOLDS);
      assertThat(judged("1x2", profile, OWN, 8, 50, store)).startsWith("value: wrong byte");
      assertThat(judged("1x2", profile, OWN, 0, 50, store + " + 1"))
          .startsWith("value: wrong byte");
    }
  }

  @Test
  void anUnwrittenWordIsWrong() {
    String read = "load b <- box[0] store out[0] <- b";
    assertThat(judged("1x2", Profile.L2, OWN, 0, 0, read)).startsWith("value: wrong byte");
    String slot = "read b <- S[0]@r relaxed store out[0] <- b";
    assertThat(judged("1x2", Profile.L2, OWN, 0, 0, slot)).startsWith("value: wrong byte");
  }

  @Test
  void aWordOfThePreviousLaunchIsWrong() {
    String late = "store out[0] <- s set s = a";
    assertThat(judged("1x2", Profile.L2, OWN, 0, 0, "store box[0] <- a sync " + late))
        .startsWith("value: wrong byte");
    String second = "if epoch == 1 { store out[0] <- a } else { store out[0] <- s } set s = a";
    assertThat(judged("1x2", Profile.L2, OWN, 0, 0, second)).contains("launch=2", "launch 1");
  }

  @Test
  void reductionsOfRegistersAreComparedByValue() {
    String both = "for p < n: in@p[0]";
    String share =
        "store box[8 * r] <- a barrier all_in each p in peers { put box@p[8 * r] <-"
            + " box[8 * r] bytes 8 } barrier all_in load x <- box[0] load y <- box[8] ";
    String max = "max int64 in int64 (%s)".formatted(both);
    String sum = "sum int64 in int64 (%s)".formatted(both);
    String select = share + "if x > y { store out[0] <- x } else { store out[0] <- y }";
    String reduce = "move out[0] <- sum int64 in int64 (box[0], box[8]) bytes 8";
    for (String world : List.of("1x2", "2x1")) {
      assertThat(judged(world, Profile.L2, max, 0, 50, share + "store out[0] <- max(x, y)"))
          .isEqualTo(Judged.HOLDS);
      assertThat(judged(world, Profile.L2, max, 0, 50, select)).isEqualTo(Judged.HOLDS);
      assertThat(judged(world, Profile.L2, sum, 0, 50, share + "store out[0] <- x + y"))
          .isEqualTo(Judged.HOLDS);
      assertThat(judged(world, Profile.L2, sum, 0, 50, share + reduce)).isEqualTo(Judged.HOLDS);
      String computed = share.replace("<- a ", "<- a + 0 ") + reduce;
      assertThat(judged(world, Profile.L2, sum, 0, 50, computed)).isEqualTo(Judged.HOLDS);
      assertThat(judged(world, Profile.L2, sum, 0, 50, share + "store out[0] <- x + x"))
          .startsWith("value: wrong byte");
    }
  }

  @Test
  void aHookOfCarriedWordsFollowsTheirOrigin() {
    String hooked = FORM.replace("ensure", "hook twice(in0: i64) -> i64 = in0 * 2:i64\nensure");
    for (String a : List.of("a", "a + 0")) {
      String moved = "store box[0] <- %s sync move out[0] <- twice (box[0]) bytes 8".formatted(a);
      assertThat(
              Judged.text(
                  hooked.formatted("twice (in[0])", 0, 50, moved),
                  Topology.parse("1x1"),
                  Profile.L2,
                  3))
          .isEqualTo(Judged.HOLDS);
    }
    assertThat(
            Judged.text(
                hooked.formatted("twice (in[0])", 0, 50, "store out[0] <- 2 * a"),
                Topology.parse("1x1"),
                Profile.L2,
                3))
        .isEqualTo(Judged.HOLDS);
  }

  private static String judged(
      String world, Profile profile, String from, int at, int most, String body) {
    String text = FORM.formatted(from, at, most, body);
    return Judged.text(text, Topology.parse(world), profile, 3);
  }
}
