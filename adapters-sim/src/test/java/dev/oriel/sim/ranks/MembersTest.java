package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static dev.oriel.sim.ranks.CorrectRankCode.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.RemoteRange;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Window;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that create their windows themselves, on every kind of link and under every memory layer.
 */
class MembersTest {
  private static final WindowSpec SMALL =
      WindowSpec.named("small")
          .withData(DataSizes.uniform(16))
          .withSignals(2)
          .withCounters(1)
          .withBarriers(1);
  private static final WindowSpec UNEVEN =
      WindowSpec.named("uneven").withData(DataSizes.perRank(8, 24, 40)).withSignals(1);

  private static final Budget SHORT = new Budget(10, 200, 100_000, 20_000_000);

  private static Topology world(String shape) {
    return shape.equals("mixed") ? LiveWorld.mixed(3) : Topology.parse(shape);
  }

  private static RankCodeExploration exploration(String shape, RankArena arena, MemberCode code) {
    return RankCodeExploration.of("members", arena, world(shape), Thread::startVirtualThread, code)
        .withBudget(SHORT);
  }

  private static void holds(String shape, RankArena arena, MemberCode code) {
    for (Profile profile : List.of(Profile.L0, Profile.L1, Profile.L2, Profile.L3)) {
      Verdict verdict = exploration(shape, arena, code).withProfile(profile).check().verdict();
      assertThat(verdict.violation()).as(profile.name()).isEmpty();
    }
  }

  private static Verdict.Violation fails(String shape, RankArena arena, MemberCode code) {
    return exploration(shape, arena, code).check().verdict().violation().orElseThrow();
  }

  /**
   * Two communicators and three windows at once, one of them in memory that another one released.
   */
  @ParameterizedTest
  @ValueSource(strings = {"1x3", "3x1", "mixed"})
  @Sampled(every = 3)
  void windowsOfTwoCommunicatorsLiveSideBySide(String shape) {
    RankArena arena = RankArena.of(3, List.of(SMALL, UNEVEN, SMALL, UNEVEN)).withBuffers(16);
    holds(
        shape,
        new RankArena(96, arena.slots()).withPutSignals(),
        (machine, ranks) -> {
          int rank = ranks.rank();
          int next = (rank + 1) % 3;
          int last = (rank + 2) % 3;
          try (Communicator one = machine.join(ranks);
              Communicator two = machine.join(ranks)) {
            Window small = one.window(SMALL);
            Window uneven = two.window(UNEVEN);
            WindowViewOf pieces = new WindowViewOf(uneven, rank);
            try (LocalBuffer source = one.buffer(8)) {
              source.write(0, bytes(rank));
              small.putCounted(next, 8, source, 0, 8, 0);
              uneven.put(pieces.of(next), 0, source, 0, 8);
              small.awaitCounter(next, 0, Comparison.EQ, 1, LONG);
              uneven.flush(next, LONG);
            }
            small.signal(next, 0, 1);
            small.await(last, 0, Comparison.EQ, 1, LONG);
            assertThat(small.read(8, 8)).isEqualTo(bytes(last));
            assertThat(uneven.read(8L * rank, 8)).isEqualTo(bytes(last));
            uneven.close();
            Window again = one.window(UNEVEN);
            if (rank > 0) {
              // Here rank r − 1 does not put.
              assertThat(again.read(0, 8)).containsOnly(0);
            }
            small.write(0, bytes(rank));
            again.putSignal(next, 8L * next, small, 0, 8, 0, 1);
            again.await(last, 0, Comparison.GE, 1, LONG);
            assertThat(again.read(8L * rank, 8)).isEqualTo(bytes(last));
            small.close();
            again.close();
          }
        });
  }

  /** Rank r shares the last eight of its 8, 24 or 40 bytes, or those from 8 r on. */
  private record WindowViewOf(dev.oriel.domain.window.WindowView view) {
    WindowViewOf(Window window, int rank) {
      this(window.share(new WindowRegion("uneven", 8L * rank, 8)));
    }

    RemoteRange of(int owner) {
      return view.range(owner);
    }
  }

  @Test
  void aRankWithoutMemoryFailsTheWindowOnAllRanksWhichTryAgain() {
    WindowSpec large =
        WindowSpec.named("large").withData(DataSizes.perRank(16, 512, 1024)).withSignals(1);
    String[] causes = new String[3];
    MemberCode code =
        (machine, ranks) -> {
          try (Communicator c = machine.join(ranks)) {
            try (Window window = c.window(large)) {
              throw new AssertionError("a window was made: " + window.name());
            } catch (MachineException e) {
              causes[ranks.rank()] = String.valueOf(e.getMessage());
            }
            try (Window window = c.window(SMALL)) {
              window.signal((ranks.rank() + 1) % 3, 0, 1);
            }
          }
        };
    Verdict verdict =
        exploration("mixed", RankArena.of(3, List.of(SMALL)).withBuffers(64), code)
            .afterEach(() -> assertThat(causes).containsOnly(causes[0]))
            .check()
            .verdict();
    assertThat(verdict.violation()).isEmpty();
    assertThat(causes[0]).contains("rank=1", "512", "failing=[1, 2]");
  }

  @Test
  void aBufferThatIsClosedBeforeItsPutHasEndedRaces() {
    RankArena arena = RankArena.of(2, List.of(SMALL)).withBuffers(16);
    for (boolean flush : new boolean[] {true, false}) {
      MemberCode code =
          (machine, ranks) -> {
            try (Communicator c = machine.join(ranks);
                Window window = c.window(SMALL)) {
              try (LocalBuffer source = c.buffer(16)) {
                source.write(0, new byte[16]);
                window.put(1 - ranks.rank(), 0, source, 0, 16);
                if (flush) {
                  window.flush(1 - ranks.rank(), LONG);
                }
              }
            }
          };
      if (flush) {
        holds("2x1", arena, code);
      } else {
        assertThat(fails("2x1", arena, code).kind()).isEqualTo("race");
      }
    }
  }

  @Test
  void theReportNamesAWindowThatIsLeftOpen() {
    Verdict.Violation violation =
        fails(
            "1x2",
            RankArena.of(2, List.of(SMALL)),
            (machine, ranks) -> {
              Window window = machine.join(ranks).window(SMALL);
              assertThat(window.name()).isEqualTo("small");
            });
    assertThat(violation.message()).contains("left open");
  }

  @Test
  void ranksInDifferentStepsAreReported() {
    Verdict.Violation violation =
        fails(
            "1x2",
            RankArena.of(2, List.of(SMALL, UNEVEN)),
            (machine, ranks) -> {
              try (Communicator c = machine.join(ranks)) {
                if (ranks.rank() == 0) {
                  c.window(SMALL).close();
                } else {
                  ranks.barrier("elsewhere");
                }
              }
            });
    assertThat(violation.message()).contains("different collectives", "elsewhere");
  }

  /** The report of a call names the window, and places within it. */
  @Test
  void reportsNameTheWindow() {
    Verdict.Violation violation =
        fails(
            "2x1",
            RankArena.of(2, List.of(SMALL, SMALL)),
            (machine, ranks) -> {
              try (Communicator c = machine.join(ranks);
                  Window first = c.window(SMALL);
                  Window second = c.window(WindowSpec.named("b").withData(DataSizes.uniform(16)))) {
                second.put(1 - ranks.rank(), 8, 0, 8);
                second.read(8, 8);
                first.barrier(0, LONG);
              }
            });
    assertThat(violation.message())
        .contains("b.put(", ", 8, 0, 8) at MembersTest.java:", "b.read(8, 8) at MembersTest.java:");
  }

  @Test
  void aSharedRegionMustBelongToItsWindow() {
    holds(
        "1x2",
        RankArena.of(2, List.of(SMALL)),
        (machine, ranks) -> {
          try (Communicator c = machine.join(ranks);
              Window window = c.window(SMALL)) {
            assertThatExceptionOfType(MachineException.class)
                .isThrownBy(() -> window.share(new WindowRegion("other", 0, 1)))
                .withMessageContaining("rank=0");
            assertThat(Arrays.asList(window.view().range(1).size())).containsOnly(16L);
          }
        });
  }
}
