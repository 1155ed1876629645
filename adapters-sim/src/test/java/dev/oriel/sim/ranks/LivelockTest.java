package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.ports.Window;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.search.TokenReplay;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulator distinguishes code that repeats its rounds from code that makes progress. */
class LivelockTest {
  private static final int FLAG = 0;
  private static final int STEPS = 10_000;

  private static RankCodeExploration exploration(String shape, RankCode code) {
    return RankCodeExploration.of(
        "rounds", CorrectRankCode.WINDOW, Topology.parse(shape), Thread::startVirtualThread, code);
  }

  private static Violation livelock(CheckReport report) {
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

  /** Each rank yields to the other, and neither proceeds. */
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

  /** The same, but rank 0 waits until rank 1 has yielded. */
  private static final RankCode ONE_GIVES_WAY =
      (window, rank) -> {
        int peer = 1 - rank;
        raise(window, peer);
        while (raised(window, peer)) {
          if (rank == 1) {
            lower(window, peer);
            while (raised(window, peer)) {
              // Polls again.
            }
            raise(window, peer);
          }
        }
        lower(window, peer);
      };

  /** Both yield, but rank 0 only a few times. */
  private static final RankCode FEW_TRIES =
      (window, rank) -> {
        int peer = 1 - rank;
        raise(window, peer);
        for (int tries = 0; raised(window, peer); tries++) {
          if (rank == 1 || tries < 5) {
            lower(window, peer);
            if (rank == 1 && tries >= 5) {
              while (raised(window, peer)) {
                // Polls again.
              }
            }
            raise(window, peer);
          }
        }
        lower(window, peer);
      };

  /** Every rank takes its own fork, and returns it if its neighbour's is taken. */
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

  /** Polls each of two words alternately, one at a time. */
  private static final RankCode TWO_FLAGS =
      (window, rank) -> {
        if (rank == 0) {
          while (window.signalValue(1, 0) == 0 && window.signalValue(1, 1) == 0) {
            // Polls again.
          }
        }
      };

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void ranksThatYieldToEachOtherAreALivelock(String shape) {
    Violation violation = livelock(exploration(shape, POLITE).check());
    assertThat(violation.message())
        .contains("suspected livelock: rounds=100 of steps=")
        .contains("rank=0 'signalValue(1, 0) at LivelockTest.java:")
        .contains("rank=1 'signalValue(0, 0) at LivelockTest.java:")
        .contains("' found 1")
        .contains("not known: Java variables");
    assertThat(violation.trace()).hasSizeLessThan(STEPS / 5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"L0", "L1", "L2", "L3"})
  @Sampled(every = 4)
  void livelockIsFoundUnderEveryLayer(String profile) {
    livelock(exploration("1x2", POLITE).withProfile(Profile.parse(profile)).check());
  }

  @Test
  void threeRanksThatReturnTheirForksAreALivelock() {
    assertThat(livelock(exploration("1x3", FORKS).check()).message())
        .contains("rank=0 '", "rank=1 '", "rank=2 '");
  }

  @Test
  void aTokenRepeatsTheRounds() {
    RankCodeExploration exploration = exploration("1x2", POLITE);
    CheckReport.Found found = exploration.check().found().orElseThrow();
    ReplayToken token = ReplayToken.parse(found.token().orElseThrow().toString());
    TokenReplay.ReplayedExecution played = exploration.replay(token);
    assertThat(played.finding().orElseThrow().kind().word()).isEqualTo("livelock");
    assertThat(played.recording().events()).isEqualTo(found.recording().events());
    // One round of each rank: it polls, yields and tries again.
    assertThat(played.recording().failure().orElseThrow().events()).hasSize(6);
  }

  @Test
  void alternatePollsOfUnsetFlagsAreALivelock() {
    Violation violation = livelock(exploration("1x2", TWO_FLAGS).check());
    assertThat(violation.message()).contains("rank=0", "signalValue(1, ", "polls=1000");
  }

  private static void holds(String shape, RankCode code, Strategy strategy) {
    CheckReport report =
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
  void aRankThatWaitsEndsTheRounds(Strategy strategy) {
    holds("1x2", ONE_GIVES_WAY, strategy);
  }

  @ParameterizedTest
  @EnumSource(names = {"PORTFOLIO", "FULL"})
  void aBoundedNumberOfTriesEnds(Strategy strategy) {
    holds("1x2", FEW_TRIES, strategy);
  }

  /** A rank that spins on a lock does not prevent its holder from releasing it. */
  @ParameterizedTest
  @EnumSource(names = {"PORTFOLIO", "FULL"})
  void aReleasedLockIsTaken(Strategy strategy) {
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

  /** Flags that alternate for 30 rounds are no livelock. */
  @ParameterizedTest
  @EnumSource(names = {"PORTFOLIO", "FULL"})
  void aBoundedNumberOfRoundsEnds(Strategy strategy) {
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
              // Polls again.
            }
            if (rank == 1) {
              window.signal(peer, FLAG, up ? 1 : -1);
            }
          }
        },
        strategy);
  }

  /** Both yield that often, counted in local variables only, and then one of them stays. */
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

  private static CheckReport counted(int most, int rounds, int steps) {
    return exploration("1x2", tries(most))
        .withStrategy(Strategy.RANDOM)
        .withBudget(new Budget(4, 1, steps, 1))
        .withRounds(rounds)
        .check();
  }

  /** The simulator does not see local counters, so such code needs a larger number of rounds. */
  @Test
  void moreRoundsThanTheLimitAreSuspected() {
    assertThat(livelock(counted(150, 100, STEPS)).message())
        .contains("rounds=100", "allow more rounds than the code counts (withRounds)");
    CheckReport more = counted(150, 200, STEPS);
    assertThat(more.verdict().violation()).isEmpty();
    assertThat(more.verdict().bounds()).noneMatch(bound -> bound.startsWith("steps: "));
    assertThat(livelock(counted(Integer.MAX_VALUE, 200, STEPS)).message()).contains("rounds=200");
  }

  /** If the steps do not suffice for that many rounds, the result is unknown, which is a bound. */
  @Test
  void roundsThatDoNotFitIntoTheStepsAreABound() {
    CheckReport report = counted(Integer.MAX_VALUE, 10_000, 1_000);
    assertThat(report.verdict().violation()).isEmpty();
    assertThat(report.verdict().bounds()).anyMatch(bound -> bound.startsWith("steps: "));
  }

  @Test
  void theLimitOfRoundsAlsoLimitsPolls() {
    RankCode code =
        (window, rank) -> {
          for (int look = 0; rank == 0 && look < 1_500; look++) {
            if (raised(window, 1)) {
              break;
            }
          }
        };
    RankCodeExploration exploration = exploration("1x2", code).withStrategy(Strategy.FIFO);
    assertThat(livelock(exploration.check()).message()).contains("polls=1000");
    assertThat(exploration.withRounds(200).check().verdict().holds()).isTrue();
  }

  /** Executions that search for rounds and repeated executions count as executions. */
  @Test
  void additionalExecutionsAreCounted() {
    CheckReport report = exploration("1x2", ONE_GIVES_WAY).check();
    assertThat(report.verdict().strategy())
        .endsWith("window (delta=500ns, links=h200)=50, rounds=20, repeated=6");
    assertThat(report.verdict().executions())
        .isEqualTo(report.parts().stream().mapToLong(CheckReport.Part::executions).sum())
        .isGreaterThan(4 * 50 + 20 + 6);
  }

  private static void quiet(RankCode code) {
    CheckReport report =
        exploration("1x2", code)
            .withStrategy(Strategy.RANDOM)
            .withBudget(new Budget(20, 1, STEPS, 20_000_000))
            .check();
    assertThat(report.verdict().violation()).isEmpty();
  }

  /** A rank that retries goes round alone, but only while the schedule holds back its peer. */
  @Test
  void retriesWhileThePeerWorksAreNoLivelock() {
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

  /** A satisfied await is progress, even if the state repeats. */
  @Test
  void roundsWithASatisfiedAwaitAreNoLivelock() {
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

  /** A value in memory that counts up is progress, however often the loop repeats. */
  @Test
  void growingCountsAreNoLivelock() {
    quiet((window, rank) -> {
      int peer = 1 - rank;
      for (int round = 1; round <= 300; round++) {
        window.signal(peer, FLAG, 1);
        while (window.signalValue(peer, FLAG) < round) {
          // Polls again.
        }
      }
    });
  }
}
