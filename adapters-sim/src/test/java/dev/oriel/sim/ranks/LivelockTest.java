package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.Codes.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.ports.Window;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.Token;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Replay;
import dev.oriel.sim.search.Report;
import dev.oriel.sim.search.Strategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Code that goes round and round is told from code that goes round until it gets somewhere. */
class LivelockTest {
  private static final int FLAG = 0;
  private static final int STEPS = 10_000;

  private static Exploration exploration(String shape, RankCode code) {
    return Exploration.of(
        "rounds", Codes.WINDOW, Topology.parse(shape), Thread::startVirtualThread, code);
  }

  private static Violation livelock(Report report) {
    assertThat(report.verdict().violation()).as("%s", report.verdict()).isPresent();
    Violation violation = report.verdict().violation().orElseThrow();
    assertThat(violation.kind()).as(violation.message()).isEqualTo("livelock");
    return violation;
  }

  private static void raise(Window window, int peer) {
    window.signal(peer, FLAG, 1);
  }

  private static void lower(Window window, int peer) {
    window.signal(peer, FLAG, -1);
  }

  private static boolean raised(Window window, int peer) {
    return window.signalValue(peer, FLAG) != 0;
  }

  /** Each lets the other go first, and nobody goes. */
  private static final RankCode POLITE =
      (window, rank) -> {
        int peer = 1 - rank;
        raise(window, peer);
        while (raised(window, peer)) {
          lower(window, peer);
          raise(window, peer);
        }
        lower(window, peer);
      };

  /** The same, but rank 0 stands where it is until rank 1 has gone back. */
  private static final RankCode ONE_GIVES_WAY =
      (window, rank) -> {
        int peer = 1 - rank;
        raise(window, peer);
        while (raised(window, peer)) {
          if (rank == 1) {
            lower(window, peer);
            while (raised(window, peer)) {
              // Looks again.
            }
            raise(window, peer);
          }
        }
        lower(window, peer);
      };

  /** Both go back, but rank 0 not for ever. */
  private static final RankCode FEW_TRIES =
      (window, rank) -> {
        int peer = 1 - rank;
        raise(window, peer);
        for (int tries = 0; raised(window, peer); tries++) {
          if (rank == 1 || tries < 5) {
            lower(window, peer);
            if (rank == 1 && tries >= 5) {
              while (raised(window, peer)) {
                // Looks again.
              }
            }
            raise(window, peer);
          }
        }
        lower(window, peer);
      };

  /** Everybody takes its own fork, and gives it back where its neighbour's is taken. */
  private static final RankCode FORKS =
      (window, rank) -> {
        int before = (rank + 2) % 3;
        int next = (rank + 1) % 3;
        raise(window, before);
        while (raised(window, next)) {
          lower(window, before);
          raise(window, before);
        }
        lower(window, before);
      };

  /** One word at a time, each of them again and again. */
  private static final RankCode TWO_FLAGS =
      (window, rank) -> {
        if (rank == 0) {
          while (window.signalValue(1, 0) == 0 && window.signalValue(1, 1) == 0) {
            // Looks again.
          }
        }
      };

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void politeRanksGoRoundForEver(String shape) {
    Violation violation = livelock(exploration(shape, POLITE).check());
    assertThat(violation.message())
        .contains("suspected livelock: rounds=100 of steps=")
        .contains("rank=0 'signalValue(1, 0) at LivelockTest.java:")
        .contains("rank=1 'signalValue(0, 0) at LivelockTest.java:")
        .contains("' found 1")
        .contains("not certain is what code keeps in its own variables");
    assertThat(violation.trace()).hasSizeLessThan(STEPS / 5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"L0", "L1", "L2", "L3"})
  @Sampled(every = 4)
  void underEveryLayer(String profile) {
    livelock(exploration("1x2", POLITE).withProfile(Profile.parse(profile)).check());
  }

  @Test
  void threeRanksTakeAndGiveBackTheirForks() {
    assertThat(livelock(exploration("1x3", FORKS).check()).message())
        .contains("rank=0 '", "rank=1 '", "rank=2 '");
  }

  @Test
  void aTokenRepeatsTheRounds() {
    Exploration exploration = exploration("1x2", POLITE);
    Report.Found found = exploration.check().found().orElseThrow();
    Token token = Token.parse(found.token().orElseThrow().toString());
    Replay.Played played = exploration.replay(token);
    assertThat(played.finding().orElseThrow().kind().word()).isEqualTo("livelock");
    assertThat(played.recording().events()).isEqualTo(found.recording().events());
    // One round of each rank: it looks, goes back, comes again.
    assertThat(played.recording().failure().orElseThrow().events()).hasSize(6);
  }

  @Test
  void flagsThatNobodySetsAreLookedAtInTurn() {
    Violation violation = livelock(exploration("1x2", TWO_FLAGS).check());
    assertThat(violation.message()).contains("rank=0", "signalValue(1, ", "looks=1000");
  }

  private static void holds(String shape, RankCode code, Strategy strategy) {
    Report report =
        exploration(shape, code)
            .withStrategy(strategy)
            .withBudget(new Budget(50, 2_000, STEPS, 20_000_000))
            .check();
    assertThat(report.verdict().violation()).as(strategy.spelling()).isEmpty();
    assertThat(report.verdict().bounds())
        .as(strategy.spelling())
        .noneMatch(bound -> bound.startsWith("steps: "));
  }

  @ParameterizedTest
  @EnumSource(names = {"PORTFOLIO", "FULL"})
  void whoeverGivesWayEndsIt(Strategy strategy) {
    holds("1x2", ONE_GIVES_WAY, strategy);
  }

  @ParameterizedTest
  @EnumSource(names = {"PORTFOLIO", "FULL"})
  void fewTriesEnd(Strategy strategy) {
    holds("1x2", FEW_TRIES, strategy);
  }

  /** Whoever spins on a lock does not keep its holder from giving it back. */
  @ParameterizedTest
  @EnumSource(names = {"PORTFOLIO", "FULL"})
  void aLockThatIsGivenBackIsTaken(Strategy strategy) {
    holds(
        "1x2",
        (window, rank) -> {
          if (rank == 0) {
            raise(window, 1);
            window.signal(1, 1, 1);
            window.write(0, new byte[8]);
            lower(window, 1);
          } else {
            window.await(0, 1, Comparison.EQ, 1, LONG);
            while (raised(window, 0)) {
              // Spins.
            }
          }
        },
        strategy);
  }

  /** Flags that go up and down for 30 rounds are no rounds without an end. */
  @ParameterizedTest
  @EnumSource(names = {"PORTFOLIO", "FULL"})
  void roundsThatAreCountedEnd(Strategy strategy) {
    holds(
        "1x2",
        (window, rank) -> {
          int peer = 1 - rank;
          for (int round = 0; round < 30; round++) {
            boolean up = round % 2 == 0;
            if (rank == 0) {
              window.signal(peer, FLAG, up ? 1 : -1);
            }
            while (raised(window, peer) != up) {
              // Looks again.
            }
            if (rank == 1) {
              window.signal(peer, FLAG, up ? 1 : -1);
            }
          }
        },
        strategy);
  }

  /** Both go back so often, which nobody sees, and then one of them stays. */
  private static RankCode tries(int most) {
    return (window, rank) -> {
      int peer = 1 - rank;
      raise(window, peer);
      for (int tries = 0; raised(window, peer) && tries < most; tries++) {
        lower(window, peer);
        raise(window, peer);
      }
      lower(window, peer);
    };
  }

  private static Report counted(int most, int rounds, int steps) {
    return exploration("1x2", tries(most))
        .withStrategy(Strategy.RANDOM)
        .withBudget(new Budget(4, 1, steps, 1))
        .withRounds(rounds)
        .check();
  }

  /** What code counts nobody sees: whoever knows asks for more rounds. */
  @Test
  void codeThatCountsMoreRoundsThanAreAskedForIsSuspected() {
    assertThat(livelock(counted(150, 100, STEPS)).message())
        .contains("rounds=100", "ask for more rounds than the code counts (withRounds)");
    Report more = counted(150, 200, STEPS);
    assertThat(more.verdict().violation()).isEmpty();
    assertThat(more.verdict().bounds()).noneMatch(bound -> bound.startsWith("steps: "));
    assertThat(livelock(counted(Integer.MAX_VALUE, 200, STEPS)).message()).contains("rounds=200");
  }

  /** Where there are no steps for so many rounds nobody knows, and that is a bound. */
  @Test
  void roundsThatDoNotFitIntoTheStepsAreABound() {
    Report report = counted(Integer.MAX_VALUE, 10_000, 1_000);
    assertThat(report.verdict().violation()).isEmpty();
    assertThat(report.verdict().bounds()).anyMatch(bound -> bound.startsWith("steps: "));
  }

  @Test
  void looksThatAreCountedGoByTheSameNumber() {
    RankCode code =
        (window, rank) -> {
          for (int look = 0; rank == 0 && look < 1_500; look++) {
            if (raised(window, 1)) {
              break;
            }
          }
        };
    Exploration exploration = exploration("1x2", code).withStrategy(Strategy.FIFO);
    assertThat(livelock(exploration.check()).message()).contains("looks=1000");
    assertThat(exploration.withRounds(200).check().verdict().holds()).isTrue();
  }

  /** Executions that look for rounds, and those that are made twice, are executions. */
  @Test
  void whatIsExecutedBesideIsCounted() {
    Report report = exploration("1x2", ONE_GIVES_WAY).check();
    assertThat(report.verdict().strategy())
        .endsWith("window (delta=500ns, links=h200)=50, rounds=20, repeated=6");
    assertThat(report.verdict().executions())
        .isEqualTo(report.parts().stream().mapToLong(Report.Part::executions).sum())
        .isGreaterThan(4 * 50 + 20 + 6);
  }

  private static void quiet(RankCode code) {
    Report report =
        exploration("1x2", code)
            .withStrategy(Strategy.RANDOM)
            .withBudget(new Budget(20, 1, STEPS, 20_000_000))
            .check();
    assertThat(report.verdict().violation()).isEmpty();
  }

  /** Whoever tries again and again goes round alone, but only while nobody lets its peer go on. */
  @Test
  void whoTriesWhileItsPeerWorksIsNoRoundOfBoth() {
    quiet((window, rank) -> {
      int peer = 1 - rank;
      if (rank == 0) {
        raise(window, peer);
        window.signal(peer, 1, 1);
        window.write(0, new byte[8]);
        window.write(8, new byte[8]);
        lower(window, peer);
      } else {
        window.await(peer, 1, Comparison.EQ, 1, LONG);
        raise(window, peer);
        while (raised(window, peer)) {
          lower(window, peer);
          raise(window, peer);
        }
      }
    });
  }

  /** Where an await is served somebody got on, however often that looks the same. */
  @Test
  void roundsInWhichSomebodyIsServedAreNone() {
    quiet((window, rank) -> {
      int peer = 1 - rank;
      for (int round = 0; round < 300; round++) {
        long up = 1L - round % 2;
        if (rank == 0) {
          window.signal(peer, FLAG, up == 1 ? 1 : -1);
        }
        window.await(peer, FLAG, Comparison.EQ, up, LONG);
        window.signalValue(peer, 2);
        if (rank == 1) {
          window.signal(peer, FLAG, up == 1 ? 1 : -1);
        }
      }
    });
  }

  /** What counts up in memory is no round, however often it goes on. */
  @Test
  void countsThatGrowAreNoRounds() {
    quiet((window, rank) -> {
      int peer = 1 - rank;
      for (int round = 1; round <= 300; round++) {
        window.signal(peer, FLAG, 1);
        while (window.signalValue(peer, FLAG) < round) {
          // Looks again.
        }
      }
    });
  }
}
