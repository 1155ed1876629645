package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Many unordered requests of one queue: the clocks distinguish each from all whose end its lane
 * does not know, up to any number.
 */
class OvertakingTest {
  /**
   * Up to that many puts, the search of every order of every step finds a race within its budget.
   */
  private static final int FULL = 17;

  private static final Budget SOME = new Budget(20, 20_000, 10_000_000, 4_000_000);

  /** The last put has the target of the first, unless there are as many places as puts. */
  private static final String PUTS =
      """
      form puts
      scratch box[1024]
      scratch mine[8]
      lane main: host {
        if r == 0 {
          for t < %d {
            put box@1[8 * (t %% %d)] <- mine[0] bytes 8 nb
            %s
          }
          quiet
        }
      }
      """;

  /** The notification comes with the last put, and covers no other. */
  private static final String NOTICE =
      """
      form notice
      scratch box[1024]
      scratch mine[8]
      signal N[1]
      barrier all_in
      lane main: host {
        if r == 0 {
          for t < %1$d {
            put box@1[8 * t] <- mine[0] bytes 8 nb
          }
          %2$s
          put box@1[8 * %1$d] <- mine[0] bytes 8 notify N[0] set epoch nb
        }
        if r == 1 {
          await N[0]@0 reached epoch acquire
          load x <- box[0]
        }
        barrier all_in
      }
      """;

  /** Where the writes of a queue are placed in any order, moves are unordered too. */
  private static final String MOVES =
      """
      form moves
      scratch box[1024]
      scratch mine[8]
      lane main: host {
        if r == 0 {
          for t < %d {
            move box@1[8 * (t %% %d)] <- mine[0] bytes 8
            %s
          }
          flush @1 remote
        }
      }
      """;

  /** Six puts in each launch, without a wait: of three launches, to that many places. */
  private static final String LAUNCHES =
      """
      form launches
      scratch box[1024]
      scratch mine[8]
      lane main: host {
        if r == 0 {
          for t < 6 {
            put box@1[8 * ((6 * epoch + t) %% %d)] <- mine[0] bytes 8 nb
          }
          %s
        }
      }
      """;

  private static String found(
      String text, String world, Profile profile, int launches, Strategy strategy, Budget budget) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    Verdict verdict =
        new Checker(strategy, budget, 1, Checker.strict(profile, launches))
            .check(program, topology);
    String kind = verdict.violation().map(Verdict.Violation::kind).orElse("nothing");
    List<String> bounds =
        verdict.bounds().stream()
            .map(b -> b.substring(0, b.indexOf(':')))
            .filter(b -> !b.equals("drawn"))
            .distinct()
            .toList();
    return kind + bounds;
  }

  private static String found(String text, Profile profile, int launches, Strategy strategy) {
    return found(text, "2x1", profile, launches, strategy, SOME);
  }

  @ParameterizedTest
  @CsvSource({
    "16, 15, race[]",
    "17, 16, race[]",
    "17, 17, nothing[]",
    "65, 64, race[]",
    "65, 65, nothing[]"
  })
  void unorderedPutsToOnePlaceRace(int puts, int places, String found) {
    String text = PUTS.formatted(puts, places, "");
    for (Strategy strategy : List.of(Strategy.SYNCHRONISATION, Strategy.RANDOM, Strategy.FIFO)) {
      assertThat(found(text, Profile.L2, 1, strategy)).as(text).isEqualTo(found);
    }
    if (found.startsWith("race") && puts <= FULL) {
      assertThat(found(text, Profile.L2, 1, Strategy.FULL)).isEqualTo(found);
    }
  }

  /**
   * The lane is ordered after requests for which it waited, so few components suffice for any
   * number of puts.
   */
  @ParameterizedTest
  @CsvSource({"5, 1", "40, 1", "40, 16", "17, 16"})
  void putsToOnePlaceWithWaitsBetweenThemHold(int puts, int places) {
    String text = PUTS.formatted(puts, places, "quiet");
    for (Strategy strategy : List.of(Strategy.SYNCHRONISATION, Strategy.RANDOM, Strategy.FIFO)) {
      assertThat(found(text, Profile.L2, 1, strategy)).as(text).isEqualTo("nothing[]");
    }
    if (puts == 5) {
      assertThat(found(text, "2x1", Profile.L2, 1, Strategy.FULL, Budget.DEFAULT))
          .isEqualTo("nothing[]");
    }
  }

  @ParameterizedTest
  @CsvSource({"15", "16", "17", "32"})
  void aNotificationCoversNoOtherPut(int puts) {
    String broken = NOTICE.formatted(puts, "");
    String right = NOTICE.formatted(puts, "quiet");
    assertThat(found(broken, Profile.L2, 1, Strategy.SYNCHRONISATION)).isEqualTo("race[]");
    assertThat(found(broken, Profile.L2, 1, Strategy.RANDOM)).isEqualTo("race[]");
    if (puts <= FULL) {
      assertThat(found(broken, Profile.L2, 1, Strategy.FULL)).isEqualTo("race[]");
    }
    assertThat(found(right, Profile.L2, 1, Strategy.SYNCHRONISATION)).isEqualTo("nothing[]");
    assertThat(found(right, Profile.L2, 1, Strategy.RANDOM)).isEqualTo("nothing[]");
  }

  @Test
  void unorderedMovesToOnePlaceRace() {
    for (Strategy strategy : List.of(Strategy.SYNCHRONISATION, Strategy.RANDOM)) {
      assertThat(found(MOVES.formatted(17, 16, ""), Profile.L3, 1, strategy)).isEqualTo("race[]");
      assertThat(found(MOVES.formatted(17, 17, ""), Profile.L3, 1, strategy))
          .isEqualTo("nothing[]");
      assertThat(found(MOVES.formatted(40, 2, "flush @1 remote"), Profile.L3, 1, strategy))
          .isEqualTo("nothing[]");
    }
    assertThat(found(MOVES.formatted(17, 16, ""), Profile.L3, 1, Strategy.FULL))
        .isEqualTo("race[]");
  }

  @Test
  void putsOfSeveralLaunchesShareAQueue() {
    for (Strategy strategy : List.of(Strategy.SYNCHRONISATION, Strategy.RANDOM)) {
      assertThat(found(LAUNCHES.formatted(16, ""), Profile.L2, 3, strategy)).isEqualTo("race[]");
      assertThat(found(LAUNCHES.formatted(18, ""), Profile.L2, 3, strategy)).isEqualTo("nothing[]");
      assertThat(found(LAUNCHES.formatted(6, "quiet"), Profile.L2, 3, strategy))
          .isEqualTo("nothing[]");
    }
    assertThat(found(LAUNCHES.formatted(16, ""), Profile.L2, 3, Strategy.FULL)).isEqualTo("race[]");
  }

  /** With too many queues to distinguish more requests, a bound is reported. */
  @Test
  void tooManyRequestsAreReportedAsABound() {
    String text =
        """
        form many
        scratch box[1024 * n]
        scratch mine[8]
        lane main: host {
          each p in peers {
            for t < PUTS {
              put box@p[1024 * r + 8 * t] <- mine[0] bytes 8 nb
            }
          }
          quiet
        }
        """;
    Budget one = new Budget(1, 1, 10_000_000, 1);
    assertThat(found(text.replace("PUTS", "16"), "24x1", Profile.L2, 1, Strategy.FIFO, one))
        .isEqualTo("nothing[]");
    assertThat(found(text.replace("PUTS", "17"), "24x1", Profile.L2, 1, Strategy.FIFO, one))
        .isEqualTo("nothing[overtaking]");
  }

  /**
   * So many requests overtake one another that clocks outgrow the parts which a search versions.
   */
  @Test
  void manyRequestsOutgrowTheVersionsOfParts() {
    String text =
        """
        form many
        scratch box[4096]
        scratch mine[4096]
        lane main: host {
          put box@((r + 1) % n)[0] <- mine[0] bytes 8 count 70 step 8, 8 nb
          quiet
        }
        """;
    assertThat(found(text, Profile.L2, 1, Strategy.FULL)).startsWith("nothing[");
    assertThat(found(text, Profile.L2, 1, Strategy.RANDOM)).startsWith("nothing[");
  }
}
