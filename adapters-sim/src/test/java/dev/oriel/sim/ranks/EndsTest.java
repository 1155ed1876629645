package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Strategy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** No thread of an exploration remains, however it ends. */
class EndsTest {
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final Executor executor = task -> threads.add(Thread.startVirtualThread(task));

  private RankCodeExploration exploration(String shape, RankCode code) {
    return RankCodeExploration.of(
        "code", CorrectRankCode.WINDOW, Topology.parse(shape), executor, code);
  }

  private String endsAs(RankCodeExploration exploration) throws InterruptedException {
    CheckReport report = exploration.check();
    noneIsLeft();
    return report.verdict().violation().map(v -> v.kind()).orElse("holds");
  }

  private void noneIsLeft() throws InterruptedException {
    assertThat(threads).isNotEmpty();
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(20))).as(thread.toString()).isTrue();
    }
  }

  @Test
  void afterSuccess() throws InterruptedException {
    assertThat(endsAs(exploration("2x1", CorrectRankCode.message()))).isEqualTo("holds");
    assertThat(threads).hasSizeGreaterThan(200);
  }

  @Test
  void afterARace() throws InterruptedException {
    RankCode code =
        (window, rank) -> {
          window.put(1 - rank, 0, 8, 8);
          window.read(0, 8);
          window.await(1 - rank, 0, Comparison.GE, 1, LONG);
        };
    assertThat(endsAs(exploration("2x1", code))).isEqualTo("race");
  }

  @Test
  void afterADeadlock() throws InterruptedException {
    RankCode code = (window, rank) -> window.await(1 - rank, 0, Comparison.GE, 1, LONG);
    assertThat(endsAs(exploration("1x2", code))).isEqualTo("deadlock");
  }

  @Test
  void afterAnException() throws InterruptedException {
    RankCode code =
        (window, rank) -> {
          if (rank == 1) {
            throw new IllegalStateException("no");
          }
          window.barrier(0, LONG);
        };
    assertThat(endsAs(exploration("1x2", code))).isEqualTo("thrown");
  }

  @Test
  void afterALivelockWhoseCodeCatchesEverything() throws InterruptedException {
    RankCode code =
        (window, rank) -> {
          for (int i = 0; i < 3; i++) {
            try {
              window.barrier(0, LONG);
              while (window.signalValue(1 - rank, 0) == 0) {
                // Polls again.
              }
            } catch (Throwable e) {
              window.close();
            }
          }
        };
    assertThat(endsAs(exploration("1x2", code))).isEqualTo("livelock");
  }

  @Test
  void afterTheBudget() throws InterruptedException {
    RankCode code =
        (window, rank) -> {
          while (true) {
            window.signal(1 - rank, 0, 1);
            window.await(1 - rank, 0, Comparison.NE, 0, LONG);
          }
        };
    Budget small = new Budget(5, 100, 500, 10_000_000);
    CheckReport report = exploration("2x1", code).withBudget(small).check();
    noneIsLeft();
    assertThat(report.verdict().violation()).isEmpty();
    assertThat(report.verdict().bounds()).anySatisfy(b -> assertThat(b).contains("stopped at"));
  }

  @Test
  void afterManyTimeouts() throws InterruptedException {
    RankCode code = (window, rank) -> window.await(1 - rank, 0, Comparison.GE, 1, LONG);
    RankCodeExploration hasty = exploration("2x1", code).withTimeouts(TimeoutPolicy.QUIESCENCE);
    assertThat(endsAs(hasty)).isEqualTo("thrown");
  }

  @Test
  void whereTheExecutorGivesNoThreads() {
    RankCodeExploration inline =
        RankCodeExploration.of(
            "code",
            CorrectRankCode.WINDOW,
            Topology.parse("1x2"),
            Runnable::run,
            CorrectRankCode.message());
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(inline::check)
        .withMessageContaining("Thread::startVirtualThread");
  }

  /** A pool that is too small would let a rank wait for ever. */
  @Test
  void whereTheExecutorHasTooFewThreads() {
    try (ExecutorService two = Executors.newFixedThreadPool(2)) {
      RankCodeExploration small =
          RankCodeExploration.of(
              "code",
              CorrectRankCode.WINDOW,
              Topology.parse("1x2"),
              two,
              CorrectRankCode.message());
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(small::check)
          .withMessageContainingAll("not begun", "a thread for each rank and one more");
    }
  }

  /** The common check of all ranks runs after each execution in which all ranks ended. */
  @Test
  void theCommonCheckOfAllRanksRuns() throws InterruptedException {
    AtomicInteger judged = new AtomicInteger();
    long[] seen = new long[2];
    RankCodeExploration both =
        exploration(
            "1x2",
            (window, rank) -> {
              window.signal(1 - rank, 0, 1);
              seen[rank] = window.signalValue(1 - rank, 0);
            });
    assertThat(endsAs(both.afterEach(judged::incrementAndGet))).isEqualTo("holds");
    assertThat(judged.get()).isGreaterThan(100);
    RankCodeExploration wrong =
        both.withStrategy(Strategy.SYNCHRONISATION)
            .afterEach(() -> assertThat(seen[0] + seen[1]).isPositive());
    assertThat(endsAs(wrong)).isEqualTo("thrown");
  }
}
