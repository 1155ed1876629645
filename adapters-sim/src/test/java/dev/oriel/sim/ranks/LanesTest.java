package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static dev.oriel.sim.ranks.CorrectRankCode.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Window;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several lanes of each rank, in whichever order their calls take effect. */
class LanesTest {
  private static final Executor THREADS = Thread::startVirtualThread;
  private static final WindowSpec ONE =
      WindowSpec.named("one").withData(DataSizes.uniform(48)).withSignals(2).withBarriers(1);
  private static final WindowSpec OTHER =
      WindowSpec.named("other").withData(DataSizes.perRank(24, 32, 40)).withSignals(2);
  private static final RankArena ARENA =
      RankArena.of(3, List.of(ONE, OTHER)).withBuffers(32).withLanes(2);

  private static Topology world(String shape) {
    return shape.equals("mixed") ? LiveWorld.mixed(3) : Topology.parse(shape);
  }

  private static Verdict explored(String shape, Profile profile, MemberCode code) {
    return RankCodeExploration.of("lanes", ARENA, world(shape), THREADS, code)
        .withBudget(new Budget(6, 100, 100_000, 20_000_000))
        .withProfile(profile)
        .check()
        .verdict();
  }

  private static void holds(String shape, MemberCode code) {
    for (Profile profile : List.of(Profile.L0, Profile.L2, Profile.L3)) {
      assertThat(explored(shape, profile, code).violation()).as(profile.name()).isEmpty();
    }
  }

  /** A lane of one rank of a ring. */
  @FunctionalInterface
  private interface Part {
    void run(Lane lane, Window window, int next, int last) throws TimeoutException;
  }

  private static MemberCode inLanes(Part part) {
    return (machine, ranks) -> {
      int world = ranks.world();
      int next = (ranks.rank() + 1) % world;
      int last = (ranks.rank() + world - 1) % world;
      try (Communicator c = machine.join(ranks);
          Window window = c.window(ONE)) {
        c.lanes(2, THREADS, lane -> part.run(lane, lane.window(window), next, last));
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void eachLaneCoversItsOwnPuts(String shape) {
    holds(
        shape,
        inLanes((lane, window, next, last) -> {
          int id = lane.number();
          window.write(8L * id, bytes(id));
          window.put(next, 16 + 8L * id, 8L * id, 8);
          window.signal(next, id, 1);
          window.await(last, id, Comparison.EQ, 1, LONG);
          assertThat(window.read(16 + 8L * id, 8)).isEqualTo(bytes(id));
        }));
  }

  /** A signal of lane 1 does not cover the puts of lane 0, even if it comes later. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void aSignalDoesNotCoverAnotherLanesPuts(String shape) {
    Verdict verdict =
        explored(
            shape,
            Profile.L2,
            inLanes((lane, window, next, last) -> {
              if (lane.number() == 0) {
                window.put(next, 16, 0, 8);
              } else {
                window.signal(next, 0, 1);
                window.await(last, 0, Comparison.EQ, 1, LONG);
                assertThat(window.read(16, 8)).hasSize(8);
              }
            }));
    assertThat(verdict.violation().orElseThrow().kind()).isEqualTo("race");
  }

  @Test
  void lanesThatWriteTheSameBytesRace() {
    Verdict verdict =
        explored(
            "1x2",
            Profile.L2,
            inLanes((lane, window, next, last) -> window.write(0, bytes(lane.number()))));
    assertThat(verdict.violation().orElseThrow().kind()).isEqualTo("race");
  }

  /** Only lane 1 may read what it awaited, until the lanes have joined. */
  @Test
  void anotherLaneMayNotReadWhatOneLaneAwaited() {
    for (boolean together : new boolean[] {true, false}) {
      MemberCode code =
          (machine, ranks) -> {
            int peer = 1 - ranks.rank();
            try (Communicator c = machine.join(ranks);
                Window window = c.window(ONE)) {
              c.lanes(
                  2,
                  THREADS,
                  lane -> {
                    Window mine = lane.window(window);
                    if (lane.number() == 0) {
                      mine.put(peer, 16, 0, 8);
                      mine.signal(peer, 0, 1);
                    } else {
                      mine.await(peer, 0, Comparison.EQ, 1, LONG);
                    }
                    if (lane.number() == 0 && !together) {
                      mine.read(16, 8);
                    }
                  });
              window.read(16, 8);
            }
          };
      if (together) {
        holds("2x1", code);
      } else {
        assertThat(explored("2x1", Profile.L2, code).violation().orElseThrow().kind())
            .isEqualTo("race");
      }
    }
  }

  /**
   * Two communicators, two windows of different sizes, and two lanes that use them in different
   * orders.
   */
  @ParameterizedTest
  @ValueSource(strings = {"1x3", "mixed"})
  void lanesUseWindowsOfTwoCommunicators(String shape) {
    holds(
        shape,
        (machine, ranks) -> {
          int rank = ranks.rank();
          int next = (rank + 1) % 3;
          int last = (rank + 2) % 3;
          try (Communicator first = machine.join(ranks);
              Communicator second = machine.join(ranks);
              Window one = first.window(ONE);
              Window other = second.window(OTHER);
              LocalBuffer source = second.buffer(16)) {
            WindowView pieces = other.share(new WindowRegion("other", 8L * rank, 16));
            source.write(0, bytes(rank));
            source.write(8, bytes(rank));
            second.lanes(
                2,
                THREADS,
                lane -> {
                  int id = lane.number();
                  Window here = lane.window(one);
                  Window there = lane.window(other);
                  for (int turn = 0; turn < 2; turn++) {
                    if (turn == id) {
                      here.put(next, 8L * id, source, 8L * id, 8);
                      here.signal(next, id, 1);
                    } else {
                      there.put(pieces.range(next), 8L * id, source, 8L * id, 8);
                      there.signal(next, id, 1);
                    }
                  }
                  here.await(last, id, Comparison.EQ, 1, LONG);
                  there.await(last, id, Comparison.EQ, 1, LONG);
                  assertThat(here.read(8L * id, 8)).isEqualTo(bytes(last));
                  assertThat(there.read(8L * rank + 8L * id, 8)).isEqualTo(bytes(last));
                });
          }
        });
  }

  private static Verdict resident(int most, MemberCode code) {
    return RankCodeExploration.of("lanes", ARENA.withLanes(3), world("1x2"), THREADS, code)
        .withBudget(new Budget(6, 100, 100_000, 20_000_000))
        .withProfile(Profile.parse("L2,resident=" + most))
        .check()
        .verdict();
  }

  /**
   * Three lanes, twice; each but the first awaits the other rank's previous lane, or the next one.
   */
  private static MemberCode threeLanes(boolean forwards) {
    return (machine, ranks) -> {
      int peer = 1 - ranks.rank();
      try (Communicator c = machine.join(ranks);
          Window window = c.window(ONE)) {
        for (int round = 1; round <= 2; round++) {
          long value = round;
          c.lanes(
              3,
              THREADS,
              lane -> {
                Window mine = lane.window(window);
                int step = forwards ? lane.number() : 2 - lane.number();
                if (step > 0) {
                  mine.await(peer, step - 1, Comparison.REACHED, value, LONG);
                }
                if (step < 2) {
                  mine.signal(peer, step, 1);
                }
              });
        }
      }
    };
  }

  /**
   * A lane that waits for an earlier lane ends even if few run at once. A lane that waits for a
   * later lane ends only if both run at once.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 0})
  void aLaneStartsWhenThereIsRoom(int most) {
    Verdict forwards = resident(most, threeLanes(true));
    assertThat(forwards.violation()).isEmpty();
    Verdict backwards = resident(most, threeLanes(false));
    if (most == 1 || most == 2) {
      assertThat(backwards.violation().orElseThrow().kind()).isEqualTo("deadlock");
    } else {
      assertThat(backwards.violation()).isEmpty();
    }
  }
}
