package dev.oriel.sim.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.WindowPackets;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.ReplayToken;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Strategy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Code that retries whenever a wait times out. Without an end it is a suspected livelock; code that
 * eventually makes progress is not.
 */
class RetriesTest {
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final WindowSpec WINDOW =
      WindowSpec.named("w")
          .withData(DataSizes.uniform(64))
          .withSignals(3)
          .withBarriers(2)
          .withCounters(2);
  private static final WindowPackets PACKET = new WindowPackets(32, PacketFormat.PKT8, 1);

  @FunctionalInterface
  private interface Wait {
    void run() throws TimeoutException;
  }

  private static boolean done(Wait wait) {
    try {
      wait.run();
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  private static boolean came(Window window, int source, int id, Duration within) {
    return done(() -> window.await(source, id, Comparison.GE, 1, within));
  }

  private static void untilCame(Window window, int source, int id, Duration each) {
    while (!came(window, source, id, each)) {
      // Tries again.
    }
  }

  private static void untilDone(Wait wait) {
    while (!done(wait)) {
      // Tries again.
    }
  }

  private static void add(Window window, int peer, int id, long change) {
    window.signal(peer, id, change);
  }

  /** Rank 0 does one thing, all others another. */
  private static RankCode apart(RankCode first, RankCode others) {
    return (window, rank) -> {
      if (rank == 0) {
        first.run(window, rank);
      } else {
        others.run(window, rank);
      }
    };
  }

  private static final RankCode NOTHING = (window, rank) -> {};

  @SuppressWarnings("ImmutableEnumChecker") // code has no state
  enum Endless {
    BOTH(2, (w, r) -> untilCame(w, 1 - r, 0, SECOND)),
    ONE_WHOSE_PEER_HAS_ENDED(2, apart((w, r) -> untilCame(w, 1, 0, SECOND), NOTHING)),
    BARRIER(2, apart((w, r) -> untilDone(() -> w.barrier(0, SECOND)), NOTHING)),
    BARRIER_OF_TWO_OF_THREE(
        3,
        (w, r) -> {
          if (r < 2) {
            untilDone(() -> w.barrier(0, Team.all(3), SECOND));
          }
        }),
    SUM(3, apart((w, r) -> untilDone(() -> w.awaitSum(0, Comparison.GE, 3, SECOND)), NOTHING)),
    COUNTER(
        2,
        apart((w, r) -> untilDone(() -> w.awaitCounter(1, 0, Comparison.GE, 1, SECOND)), NOTHING)),
    PACKETS(2, apart((w, r) -> untilDone(() -> w.takePackets(PACKET, w, 0, 4, SECOND)), NOTHING)),
    PACKETS_TRIED_AND_THEN_AWAITED(
        2,
        apart(
            (w, r) -> {
              while (!w.takePackets(PACKET, w, 0, 4) && !came(w, 1, 0, SECOND)) {
                // Tries again.
              }
            },
            NOTHING)),
    BESIDE_ONE_THAT_LOOKS(
        2,
        apart(
            (w, r) -> untilCame(w, 1, 0, SECOND),
            (w, r) -> {
              while (w.signalValue(0, 1) == 0) {
                // Looks again.
              }
            })),
    BESIDE_ONE_THAT_LOOKS_AT_SEVERAL(
        3,
        apart(
            (w, r) -> untilCame(w, 1, 0, SECOND),
            (w, r) -> {
              while (w.signalValue(0, 0) + w.signalValue(0, 1) + w.signalValue(0, 2) == 0) {
                // Looks again.
              }
            })),
    BESIDE_ONE_THAT_LOOKS_WITH_WORK(
        2,
        apart(
            (w, r) -> {
              while (!came(w, 1, 0, SECOND)) {
                w.write(0, CorrectRankCode.bytes(0));
              }
            },
            (w, r) -> {
              while (w.signalValue(0, 1) == 0) {
                // Looks again.
              }
            })),
    LOOKS_FIRST(
        2,
        apart(
            (w, r) -> {
              while (w.signalValue(1, 0) == 0 && !came(w, 1, 0, SECOND)) {
                // Tries again.
              }
            },
            NOTHING)),
    LOOKS_A_FEW_TIMES_FIRST(
        2,
        (w, r) -> {
          boolean here = false;
          while (!here) {
            for (int look = 0; look < 5 && !here; look++) {
              here = w.signalValue(1 - r, 0) != 0;
            }
            here = here || came(w, 1 - r, 0, SECOND);
          }
        }),
    LOOKS_A_FEW_TIMES_AND_WRITES(
        2,
        apart(
            (w, r) -> {
              while (w.signalValue(1, 0) + w.signalValue(1, 0) + w.signalValue(1, 0) == 0) {
                w.write(0, CorrectRankCode.bytes(0));
              }
            },
            NOTHING)),
    WITH_WRITES(
        2,
        (w, r) -> {
          while (!came(w, 1 - r, 0, SECOND)) {
            w.write(0, CorrectRankCode.bytes(r));
          }
        }),
    WITH_PUTS(
        2,
        apart(
            (w, r) -> {
              w.write(0, CorrectRankCode.bytes(0));
              while (!came(w, 1, 0, SECOND)) {
                w.put(1, 8, 0, 8);
                untilDone(() -> w.flush(1, SECOND));
              }
            },
            NOTHING)),
    WITH_SIGNALS_TO_AND_FRO(
        2,
        (w, r) -> {
          while (!came(w, 1 - r, 0, SECOND)) {
            add(w, 1 - r, 1, 1);
            add(w, 1 - r, 1, -1);
          }
        }),
    ONE_SLOT_AFTER_ANOTHER(
        2,
        (w, r) -> {
          for (int id = 0; !came(w, 1 - r, id, SECOND); id = (id + 1) % 3) {
            // Tries the next.
          }
        }),
    LONGER_EACH_TIME(
        2,
        (w, r) -> {
          for (int times = 1; !came(w, 1 - r, 0, MILLI.multipliedBy(times)); times++) {
            // Tries again.
          }
        }),
    ONE_WAITS_MUCH_LONGER(2, (w, r) -> untilCame(w, 1 - r, 0, r == 0 ? MILLI : HOUR)),
    TWO_WAIT_MUCH_LONGER(
        3, (w, r) -> untilCame(w, (r + 1) % 3, 0, List.of(MILLI, SECOND, HOUR).get(r))),
    THREE_TIMES_AND_FROM_THE_START(
        2,
        (w, r) -> {
          boolean here = false;
          while (!here) {
            for (int times = 0; times < 3 && !here; times++) {
              here = came(w, 1 - r, 0, SECOND);
            }
          }
        }),
    MORE_THAN_IS_SENT(
        2,
        (w, r) -> {
          add(w, 1 - r, 0, 1);
          untilDone(() -> w.await(1 - r, 0, Comparison.GE, 2, SECOND));
        }),
    THE_OTHER_S_SLOT(
        2,
        (w, r) -> {
          add(w, 1 - r, r, 1);
          untilCame(w, 1 - r, r, SECOND);
        }),
    BEHIND_WHAT_HAS_COME(
        3,
        (w, r) -> {
          if (r == 2) {
            add(w, 0, 0, 1);
          } else {
            boolean all = false;
            while (!all) {
              all = (r == 1 || came(w, 2, 0, SECOND)) && came(w, 1 - r, 0, SECOND);
            }
          }
        }),
    LOCK_THAT_IS_NEVER_GIVEN_BACK(
        2,
        apart(
            (w, r) -> add(w, 1, 0, 1),
            (w, r) -> {
              untilCame(w, 0, 0, SECOND);
              untilDone(() -> w.await(0, 0, Comparison.EQ, 0, SECOND));
            })),
    DATA_THAT_NOBODY_WRITES(
        2,
        apart(
            (w, r) -> {
              while (w.read(0, 1)[0] == 0) {
                // Reads again.
              }
            },
            NOTHING)),
    DATA_OF_A_PEER_THAT_NOBODY_WRITES(
        2,
        apart(
            (w, r) -> {
              do {
                w.get(1, 8, 8, 8);
                untilDone(() -> w.flush(1, SECOND));
              } while (w.read(8, 1)[0] == 0);
            },
            NOTHING));

    private final int world;
    private final RankCode code;

    Endless(int world, RankCode code) {
      this.world = world;
      this.code = code;
    }
  }

  private static RankCodeExploration exploration(int world, boolean near, RankCode code) {
    Topology topology = near ? Topology.grid(1, world) : Topology.grid(world, 1);
    return RankCodeExploration.of("retries", WINDOW, topology, Thread::startVirtualThread, code)
        .withPackets(PacketFormat.PKT8);
  }

  private static String kind(CheckReport report) {
    return report.verdict().violation().map(v -> v.kind()).orElse("none");
  }

  private static void suspected(CheckReport report) {
    assertThat(kind(report)).as("%s", report.verdict()).isEqualTo("livelock");
    assertThat(report.verdict().violation().orElseThrow().message())
        .contains("suspected livelock: rounds=100 of steps=");
  }

  /** The kind of the finding where waits time out at quiescence. */
  static String verdict(Endless endless) {
    return verdict(endless.world, endless.code);
  }

  static String verdict(Finite finite) {
    return verdict(finite.world, finite.code);
  }

  private static String verdict(int world, RankCode code) {
    return kind(
        exploration(world, true, code)
            .withTimeouts(TimeoutPolicy.QUIESCENCE)
            .withBudget(new Budget(4, 100, 10_000, 1_000_000))
            .check());
  }

  @ParameterizedTest
  @EnumSource
  @Sampled(every = 4)
  void endlessRetriesAreSuspected(Endless endless) {
    RankCodeExploration near = exploration(endless.world, true, endless.code);
    suspected(near.withTimeouts(TimeoutPolicy.QUIESCENCE).check());
  }

  /** First random executions only, which need luck, and then executions by rounds. */
  @ParameterizedTest
  @EnumSource
  @Sampled(every = 6)
  void endlessRetriesAreSuspectedIfWaitsTimeOutAtAnyTime(Endless endless) {
    RankCodeExploration near = exploration(endless.world, true, endless.code);
    suspected(
        near.withTimeouts(TimeoutPolicy.ANY)
            .withStrategy(Strategy.RANDOM)
            .withBudget(new Budget(4, 1, 10_000, 1_000_000))
            .check());
  }

  /** If no wait times out, there is no retry. */
  @ParameterizedTest
  @EnumSource
  @Sampled(every = 5)
  void withoutTimeoutsTheFirstWaitHasNoEnd(Endless endless) {
    RankCodeExploration near = exploration(endless.world, true, endless.code);
    assertThat(kind(near.check())).isIn("deadlock", "livelock");
  }

  /** Packets are for mapped links, and unordered puts of the same bytes race there. */
  @ParameterizedTest
  @EnumSource(
      names = {"PACKETS", "PACKETS_TRIED_AND_THEN_AWAITED", "WITH_PUTS"},
      mode = EnumSource.Mode.EXCLUDE)
  @Sampled(every = 6)
  void endlessRetriesAreSuspectedOverRdma(Endless endless) {
    RankCodeExploration far = exploration(endless.world, false, endless.code);
    suspected(
        far.withTimeouts(TimeoutPolicy.QUIESCENCE)
            .withBudget(new Budget(4, 100, 10_000, 1_000_000))
            .check());
  }

  /** The report shows a round: the wait that timed out, and the polls of the code after that. */
  @Test
  void theReportedRoundNamesTheTimeout() {
    RankCodeExploration one =
        exploration(2, true, Endless.ONE_WHOSE_PEER_HAS_ENDED.code)
            .withTimeouts(TimeoutPolicy.QUIESCENCE);
    CheckReport report = one.check();
    assertThat(report.verdict().violation().orElseThrow().message())
        .contains("of steps=2", "rank=0 'await(1, 0, GE, 1) at RetriesTest.java:", "' timed out")
        .contains("no wait that timed out could have ended");
    ReplayToken token =
        ReplayToken.parse(report.found().orElseThrow().token().orElseThrow().toString());
    assertThat(one.replay(token).finding().orElseThrow().kind().word()).isEqualTo("livelock");
  }

  @Test
  void endlessRetriesOfLanesAreSuspected() {
    MemberCode code =
        (machine, ranks) -> {
          try (Communicator world = machine.join(ranks);
              Window window = world.window(WINDOW)) {
            world.lanes(
                2,
                Thread::startVirtualThread,
                lane -> untilCame(lane.window(window), 1 - ranks.rank(), lane.number(), SECOND));
          }
        };
    RankArena arena = RankArena.of(2, List.of(WINDOW)).withLanes(2);
    suspected(
        RankCodeExploration.of(
                "lanes", arena, Topology.grid(1, 2), Thread::startVirtualThread, code)
            .withTimeouts(TimeoutPolicy.QUIESCENCE)
            .check());
  }

  @Test
  void endlessRetriesForACrashedRankAreSuspected() {
    RankCode code =
        (window, rank) -> {
          add(window, 1 - rank, 0, 1);
          untilCame(window, 1 - rank, 0, SECOND);
        };
    suspected(
        exploration(2, true, code)
            .withTimeouts(TimeoutPolicy.QUIESCENCE)
            .withFaults(FaultPlan.parse("crash rank=1 after=1"))
            .check());
  }

  @SuppressWarnings("ImmutableEnumChecker") // code has no state
  enum Finite {
    AT_ONCE(
        2,
        (w, r) -> {
          add(w, 1 - r, 0, 1);
          untilCame(w, 1 - r, 0, SECOND);
        }),
    THREE_TRIES(2, tries(3)),
    NINETY_TRIES(2, tries(90)),
    PEER_WORKS_FIRST(
        2,
        apart(
            (w, r) -> untilCame(w, 1, 0, SECOND),
            (w, r) -> {
              for (int i = 0; i < 10; i++) {
                w.write(8, CorrectRankCode.bytes(i));
              }
              add(w, 0, 0, 1);
            })),
    PEER_WAITS_IN_VAIN_FIRST(
        2,
        apart(
            (w, r) -> untilCame(w, 1, 0, SECOND),
            (w, r) -> {
              assertThat(came(w, 0, 2, Duration.ofSeconds(10))).isFalse();
              add(w, 0, 0, 1);
            })),
    PEER_WAITS_MUCH_LONGER_IN_VAIN_FIRST(
        2,
        apart(
            (w, r) -> untilCame(w, 1, 0, MILLI),
            (w, r) -> {
              assertThat(came(w, 0, 2, HOUR)).isFalse();
              add(w, 0, 0, 1);
            })),
    PEER_WAITS_LONGER_AND_IS_SERVED(
        2,
        apart(
            (w, r) -> {
              for (int i = 0; i < 800 && !came(w, 1, 0, MILLI); i++) {
                // Tries again.
              }
              add(w, 1, 0, 1);
            },
            (w, r) -> assertThat(came(w, 0, 0, SECOND)).isTrue())),
    PEER_WAITS_LONGER_AND_IS_SERVED_AFTER_WRITES(
        2,
        apart(
            (w, r) -> {
              for (int i = 0; i < 1_200 && !came(w, 1, 0, MILLI); i++) {
                w.write(0, CorrectRankCode.bytes(i));
              }
              add(w, 1, 0, 1);
            },
            (w, r) -> assertThat(came(w, 0, 0, SECOND.multipliedBy(2))).isTrue())),
    PEER_WAITS_LONGER_AND_IS_SERVED_AFTER_OTHER_WAITS(
        2,
        apart(
            (w, r) -> {
              for (int i = 0; i < 1_200 && !came(w, 1, i % 3, MILLI); i++) {
                // Tries another slot.
              }
              add(w, 1, 0, 1);
            },
            (w, r) -> assertThat(came(w, 0, 0, SECOND.multipliedBy(2))).isTrue())),
    BARRIER_OF_ONE_THAT_COMES_LATE(
        2,
        apart(
            (w, r) -> untilDone(() -> w.barrier(0, SECOND)),
            (w, r) -> {
              assertThat(came(w, 0, 2, Duration.ofSeconds(3))).isFalse();
              untilDone(() -> w.barrier(0, SECOND));
            })),
    LONGER_EACH_TIME(
        2,
        (w, r) -> {
          for (int times = 1;
              times < 12 && !came(w, 1 - r, 0, MILLI.multipliedBy(times));
              times++) {
            // Tries again.
          }
        }),
    PEER_LOOKS_OFTEN_FIRST(
        2,
        apart(
            (w, r) -> untilCame(w, 1, 0, SECOND),
            (w, r) -> {
              for (int i = 0; i < 40 && w.signalValue(0, 1) == 0; i++) {
                // Looks again.
              }
              add(w, 0, 0, 1);
            })),
    WITH_WRITES(
        2,
        (w, r) -> {
          for (int i = 0; i < 20 && !came(w, 1 - r, 0, SECOND); i++) {
            w.write(0, CorrectRankCode.bytes(r));
          }
          add(w, 1 - r, 0, 1);
          untilCame(w, 1 - r, 0, SECOND);
        }),
    WITH_WRITES_THAT_COUNT(
        2,
        (w, r) -> {
          for (int i = 0; i < 150 && !came(w, 1 - r, 0, SECOND); i++) {
            w.write(0, CorrectRankCode.bytes(i));
          }
        }),
    SUM(
        3,
        (w, r) -> {
          for (int peer = 0; peer < 3; peer++) {
            if (peer != r) {
              add(w, peer, 0, 1);
            }
          }
          untilDone(() -> w.awaitSum(0, Comparison.GE, 2, SECOND));
        }),
    COUNTER(
        2,
        apart(
            (w, r) -> {
              w.write(0, CorrectRankCode.bytes(0));
              w.putCounted(1, 8, w, 0, 8, 0);
              untilDone(() -> w.awaitCounter(1, 0, Comparison.GE, 1, SECOND));
            },
            NOTHING)),
    PACKETS(
        2,
        apart(
            (w, r) -> untilDone(() -> w.takePackets(PACKET, w, 0, 4, SECOND)),
            (w, r) -> {
              w.write(0, CorrectRankCode.bytes(1));
              w.putPackets(0, PACKET, w, 0, 4);
            })),
    CHAIN(
        3,
        (w, r) -> {
          if (r == 0) {
            assertThat(came(w, 1, 2, Duration.ofSeconds(5))).isFalse();
          } else {
            untilCame(w, r - 1, 0, SECOND);
          }
          if (r < 2) {
            add(w, r + 1, 0, 1);
          }
        }),
    LOCK(
        2,
        apart(
            (w, r) -> {
              add(w, 1, 0, 1);
              add(w, 1, 1, 1);
              assertThat(came(w, 1, 2, Duration.ofSeconds(5))).isFalse();
              add(w, 1, 0, -1);
            },
            (w, r) -> {
              untilCame(w, 0, 1, SECOND);
              untilDone(() -> w.await(0, 0, Comparison.EQ, 0, SECOND));
            })),
    MANY_MESSAGES_ONE_AFTER_ANOTHER(
        2,
        (w, r) -> {
          for (int round = 1; round <= 130; round++) {
            int wanted = round;
            if (r == 0) {
              add(w, 1, 0, 1);
            }
            untilDone(() -> w.await(1 - r, 0, Comparison.GE, wanted, SECOND));
            if (r == 1) {
              add(w, 0, 0, 1);
            }
          }
        }),
    THE_SAME_SLOT_UP_AND_DOWN(
        2,
        (w, r) -> {
          for (int round = 0; round < 130; round++) {
            long up = 1L - round % 2;
            if (r == 0) {
              add(w, 1, 0, up == 1 ? 1 : -1);
            }
            untilDone(() -> w.await(1 - r, 0, Comparison.EQ, up, SECOND));
            if (r == 1) {
              add(w, 0, 0, up == 1 ? 1 : -1);
            }
          }
        }),
    DATA_READ_OFTEN(
        2,
        (w, r) -> {
          for (int i = 0; i < 50; i++) {
            assertThat(w.read(0, 1)[0]).isZero();
          }
        });

    private final int world;
    private final RankCode code;

    Finite(int world, RankCode code) {
      this.world = world;
      this.code = code;
    }

    private static RankCode tries(int most) {
      return (w, r) -> {
        for (int times = 0; times < most && !came(w, 1 - r, 0, SECOND); times++) {
          // Tries again.
        }
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  @Sampled(every = 4)
  void retriesWithProgressPass(Finite finite) {
    for (boolean near : finite == Finite.PACKETS ? List.of(true) : List.of(true, false)) {
      CheckReport report =
          exploration(finite.world, near, finite.code)
              .withTimeouts(TimeoutPolicy.QUIESCENCE)
              .withBudget(new Budget(8, 200, 10_000, 4_000_000))
              .check();
      assertThat(report.verdict().violation()).isEmpty();
      assertThat(report.verdict().bounds()).noneMatch(bound -> bound.startsWith("steps: "));
    }
  }

  /** Assertions that a wait ends, or times out, are correct only while time is in order. */
  @ParameterizedTest
  @EnumSource(
      names = {"PEER_WAITS_LONGER_AND_IS_SERVED.*", "PEER_WAITS_MUCH_LONGER_IN_VAIN_FIRST"},
      mode = EnumSource.Mode.MATCH_NONE)
  @Sampled(every = 6)
  void retriesWithProgressPassIfWaitsTimeOutAtAnyTime(Finite finite) {
    CheckReport report =
        exploration(finite.world, true, finite.code)
            .withTimeouts(TimeoutPolicy.ANY)
            .withBudget(new Budget(8, 200, 10_000, 4_000_000))
            .check();
    assertThat(report.verdict().violation()).isEmpty();
  }

  @Test
  void anAbortEndsTheRetries() {
    MemberCode code =
        (machine, ranks) -> {
          try (Communicator world = machine.join(ranks);
              Window window = world.window(WINDOW)) {
            if (ranks.rank() == 0) {
              try {
                untilCame(window, 1, 0, SECOND);
              } catch (AbortedException e) {
                assertThat(e).hasMessageContaining("enough");
              }
            } else {
              assertThat(came(window, 0, 0, Duration.ofSeconds(5))).isFalse();
              world.abort("enough");
            }
          } catch (AbortedException e) {
            // Closed after the abort.
          }
        };
    RankArena arena = RankArena.of(2, List.of(WINDOW));
    CheckReport report =
        RankCodeExploration.of(
                "abort", arena, Topology.grid(1, 2), Thread::startVirtualThread, code)
            .withTimeouts(TimeoutPolicy.QUIESCENCE)
            .check();
    assertThat(kind(report)).as("%s", report.verdict()).isEqualTo("none");
  }

  /** An aborted world rejects calls, however often they are retried. */
  @Test
  void retriesInAnAbortedWorldAreStopped() {
    MemberCode code =
        (machine, ranks) -> {
          Communicator world = machine.join(ranks);
          Window window = world.window(WINDOW);
          if (ranks.rank() == 1) {
            world.abort("enough");
          }
          boolean came = false;
          while (!came) {
            try {
              came = came(window, 1 - ranks.rank(), 0, SECOND);
            } catch (AbortedException e) {
              // Tries again.
            }
          }
        };
    RankArena arena = RankArena.of(2, List.of(WINDOW));
    CheckReport report =
        RankCodeExploration.of(
                "abort", arena, Topology.grid(1, 2), Thread::startVirtualThread, code)
            .withTimeouts(TimeoutPolicy.QUIESCENCE)
            .withStrategy(Strategy.FIFO)
            .check();
    assertThat(kind(report)).isEqualTo("livelock");
    assertThat(report.verdict().violation().orElseThrow().message())
        .contains("makes calls without an effect for ever");
  }

  /** The search by synchronisation alone covers both results of a wait. */
  @Test
  void aWaitThatMayTimeOutHasTwoResults() {
    RankCode code =
        apart(
            (w, r) -> add(w, 1, 0, 1),
            (w, r) -> assertThat(came(w, 0, 0, SECOND)).as("came").isTrue());
    CheckReport report =
        exploration(2, true, code)
            .withTimeouts(TimeoutPolicy.ANY)
            .withStrategy(Strategy.SYNCHRONISATION)
            .check();
    assertThat(kind(report)).isEqualTo("thrown");
    assertThat(report.parts()).hasSize(1);
  }
}
