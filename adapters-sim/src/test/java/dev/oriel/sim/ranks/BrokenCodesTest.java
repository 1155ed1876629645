package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static dev.oriel.sim.ranks.CorrectRankCode.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.CheckReport;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of correct code with one mistake each: every mistake is caught, for the right reason. */
class BrokenCodesTest {

  private static RankCodeExploration exploration(String shape, RankCode code) {
    return RankCodeExploration.of(
        "code", CorrectRankCode.WINDOW, Topology.parse(shape), Thread::startVirtualThread, code);
  }

  private static Violation caught(RankCodeExploration exploration, String kind) {
    CheckReport report = exploration.check();
    assertThat(report.verdict().violation()).isPresent();
    Violation violation = report.verdict().violation().orElseThrow();
    assertThat(violation.kind()).as(violation.message()).isEqualTo(kind);
    return violation;
  }

  private static Violation caught(String shape, String kind, RankCode code) {
    return caught(exploration(shape, code), kind);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aReadWithoutAnAwaitRacesWithThePut(String shape) {
    Violation violation =
        caught(
            shape,
            "race",
            (window, rank) -> {
              if (rank == 0) {
                window.write(0, bytes(0));
                window.put(1, 8, 0, 8);
                window.signal(1, 0, 1);
              } else {
                window.read(8, 8);
              }
            });
    assertThat(violation.message())
        .contains("put(1, 8, 0, 8) at BrokenCodesTest.java:")
        .contains("read(8, 8) at BrokenCodesTest.java:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aReadBeforeItsAwaitRaces(String shape) {
    caught(
        shape,
        "race",
        (window, rank) -> {
          if (rank == 0) {
            window.put(1, 8, 0, 8);
            window.signal(1, 0, 1);
          } else {
            window.read(8, 8);
            window.await(0, 0, Comparison.GE, 1, LONG);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aSignalBeforeItsPutDoesNotCoverThePut(String shape) {
    caught(
        shape,
        "race",
        (window, rank) -> {
          if (rank == 0) {
            window.signal(1, 0, 1);
            window.put(1, 8, 0, 8);
          } else {
            window.await(0, 0, Comparison.GE, 1, LONG);
            window.read(8, 8);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void overwritingASourceBeforeTheFlushRaces(String shape) {
    RankCode right =
        (window, rank) -> {
          if (rank == 0) {
            window.put(1, 8, 0, 8);
            window.flush(1, LONG);
            window.write(0, bytes(0));
          }
        };
    RankCode wrong =
        (window, rank) -> {
          if (rank == 0) {
            window.put(1, 8, 0, 8);
            window.write(0, bytes(0));
          }
        };
    assertThat(exploration(shape, right).check().verdict().violation()).isEmpty();
    caught(shape, "race", wrong);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void readingGotBytesBeforeTheFlushRaces(String shape) {
    RankCode right =
        (window, rank) -> {
          if (rank == 0) {
            window.get(1, 8, 0, 8);
            window.flush(1, LONG);
            window.read(0, 8);
          }
        };
    RankCode wrong =
        (window, rank) -> {
          if (rank == 0) {
            window.get(1, 8, 0, 8);
            window.read(0, 8);
          }
        };
    for (Profile profile : Profile.NAMED) {
      CheckReport report = exploration(shape, right).withProfile(profile).check();
      assertThat(report.verdict().violation()).as(profile.name()).isEmpty();
    }
    caught(shape, "race", wrong);
  }

  /** A get without a flush may still read bytes that the peer then overwrites. */
  @Test
  void aSignalDoesNotCoverAGet() {
    caught(
        "2x1",
        "race",
        (window, rank) -> {
          if (rank == 0) {
            window.get(1, 8, 0, 8);
            window.signal(1, 0, 1);
          } else {
            window.await(0, 0, Comparison.GE, 1, LONG);
            window.write(8, bytes(1));
          }
        });
  }

  @Test
  void aBarrierDoesNotCoverAGet() {
    caught(
        "2x1",
        "race",
        (window, rank) -> {
          if (rank == 0) {
            window.get(1, 8, 0, 8);
          }
          window.barrier(0, LONG);
          if (rank == 1) {
            window.write(8, bytes(1));
          }
        });
  }

  /**
   * Rank 2 learns of rank 0's put only through rank 1, but its signal covers the put only for rank
   * 1.
   */
  @Test
  void aPutIsNotCoveredForThirdRanks() {
    caught(
        "3x1",
        "race",
        (window, rank) -> {
          switch (rank) {
            case 0 -> {
              window.put(2, 8, 0, 8);
              window.signal(1, 0, 1);
            }
            case 1 -> {
              window.await(0, 0, Comparison.GE, 1, LONG);
              window.signal(2, 0, 1);
            }
            default -> {
              window.await(1, 0, Comparison.GE, 1, LONG);
              window.read(8, 8);
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void twoPutsToOnePlaceAreNotOrdered(String shape) {
    caught(
        shape,
        "race",
        (window, rank) -> {
          if (rank == 0) {
            window.put(1, 8, 0, 8);
            window.put(1, 12, 0, 8);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x3", "3x1"})
  void aSumCountsTwoSignalsOfOnePeerForBoth(String shape) {
    caught(
        shape,
        "race",
        (window, rank) -> {
          if (rank == 0) {
            while (window.signalValue(1, 0) + window.signalValue(2, 0) < 2) {
              // Polls again.
            }
            window.await(1, 0, Comparison.GE, 0, LONG);
            window.read(16, 8);
          } else {
            window.signal(0, 0, rank == 1 ? 2 : 0);
            window.put(0, 8L * rank, 0, 8);
            window.signal(0, 0, 1);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aWrongIdIsADeadlockThatNamesTheSignal(String shape) {
    Violation violation =
        caught(
            shape,
            "deadlock",
            (window, rank) -> {
              if (rank == 0) {
                window.signal(1, 1, 1);
              } else {
                window.await(0, 0, Comparison.GE, 1, LONG);
              }
            });
    assertThat(violation.message())
        .contains("await(0, 0, GE, 1) at BrokenCodesTest.java:")
        .contains("signal=S[0], owner=1, source=0: wanted=ge 1, seen=nothing")
        .contains("it was sent to signal=S[1], owner=1, source=0");
  }

  @Test
  void aFailedAssertionNamesItsLine() {
    Violation violation =
        caught(
            "1x2",
            "thrown",
            (window, rank) -> {
              if (rank == 0) {
                window.signal(1, 0, 1);
              } else {
                window.await(0, 0, Comparison.GE, 1, LONG);
                assertThat(window.signalValue(0, 0)).isEqualTo(2);
              }
            });
    assertThat(violation.message())
        .startsWith("rank code threw: rank=1, at=BrokenCodesTest.java:")
        .contains("expected: 2L");
  }

  @Test
  void bytesOutsideTheWindowAreRejectedAtTheCall() {
    Violation violation = caught("1x2", "thrown", (window, rank) -> window.put(1 - rank, 60, 0, 8));
    assertThat(violation.message()).contains("owner=1, offset=60, length=8, bytes=64");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void pollingWithoutEndIsALivelock(String shape) {
    Violation violation =
        caught(
            shape,
            "livelock",
            (window, rank) -> {
              if (rank == 1) {
                while (window.signalValue(0, 2) == 0) {
                  // Polls again.
                }
              } else {
                window.signal(1, 1, 1);
              }
            });
    assertThat(violation.message()).contains("signalValue(0, 2)", "polls=1000");
  }

  /** A rank that polls for a signal does not prevent it from arriving, under any schedule. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void pollingUntilTheSignalArrivesEnds(String shape) {
    CheckReport report =
        exploration(
                shape,
                (window, rank) -> {
                  if (rank == 0) {
                    while (window.signalValue(1, 2) == 0) {
                      // Polls again.
                    }
                  } else {
                    window.signal(0, 2, 1);
                  }
                })
            .check();
    assertThat(report.verdict().violation()).isEmpty();
    assertThat(report.verdict().bounds())
        .isNotEmpty()
        .allSatisfy(b -> assertThat(b).startsWith("looks: a third look in a row"));
  }

  @Test
  void nondeterministicCodeIsReported() {
    AtomicInteger calls = new AtomicInteger();
    Violation violation =
        caught(
            "1x2",
            "varies",
            (window, rank) -> {
              if (rank == 0) {
                window.signal(1, calls.getAndIncrement() % 3, 1);
              }
            });
    assertThat(violation.message()).contains("rank=0, call=1: 'signal(1, ");
  }

  @Test
  void anUnmatchedWaitTimesOutWhereTimePasses() {
    RankCode code =
        (window, rank) -> {
          if (rank == 1) {
            try {
              window.await(0, 0, Comparison.GE, 1, LONG);
              throw new AssertionError("nobody signals");
            } catch (TimeoutException e) {
              assertThat(e).hasMessageContainingAll("source=0", "id=0", "value=0", "GE 1");
            }
          }
        };
    RankCodeExploration quiet = exploration("2x1", code).withTimeouts(TimeoutPolicy.QUIESCENCE);
    assertThat(quiet.check().verdict().violation()).isEmpty();
    caught(exploration("2x1", code), "deadlock");
  }

  @Test
  void aWaitMayTimeOutEvenIfTheSignalArrives() {
    RankCodeExploration hasty =
        exploration("1x2", CorrectRankCode.message()).withTimeouts(TimeoutPolicy.ANY);
    assertThat(caught(hasty, "thrown").message()).contains("TimeoutException");
    RankCodeExploration patient =
        exploration(
            "1x2",
            (window, rank) -> {
              if (rank == 0) {
                window.signal(1, 0, 1);
              } else {
                for (boolean there = false; !there; ) {
                  try {
                    window.await(0, 0, Comparison.GE, 1, LONG);
                    there = true;
                  } catch (TimeoutException e) {
                    // Tries again.
                  }
                }
              }
            });
    CheckReport report = patient.withTimeouts(TimeoutPolicy.ANY).check();
    assertThat(report.verdict().violation()).isEmpty();
  }
}
