package dev.oriel.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.sim.sequential.SequentialExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** Timed replays are also checked, each of them; the time is that of the slowest process. */
class GraphTimingTest {
  private static final Topology TOPOLOGY = Topology.grid(1, 2);
  private static final Duration SOON = Duration.ofSeconds(60);

  /** The first replays, that many, work correctly; later ones do nothing. */
  private static GraphTiming timing(int right) {
    Program program =
        Program.bind(
            ProgramTexts.shipped(CommandSpec.create(), "push-allgather"), 2, Map.of("B", 40L));
    AtomicInteger replays = new AtomicInteger();
    try (Executor executor = new SequentialExecutor(FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(program, TOPOLOGY)) {
      CudaInstance.Recording recording =
          deadline ->
              new CudaInstance.ReplayResult(
                  replays.getAndIncrement() < right
                      ? instance.launch(deadline)
                      : List.of(new Outcome.Done(), new Outcome.Done()),
                  Duration.ofNanos(8000));
      return GraphTiming.of(
          program,
          instance,
          recording,
          () -> 0,
          4,
          5,
          new SplittableRandom(1),
          ReplayCoordination.ALONE);
    }
  }

  @Test
  void correctReplaysAreTimed() {
    GraphTiming timing = timing(6);
    assertThat(timing.problems()).isEmpty();
    assertThat(timing.micros()).containsExactly(2.0, 2.0, 2.0, 2.0, 2.0);
  }

  /** Results of an earlier replay must not count for this one. */
  @Test
  void aReplayThatDoesNothingIsDetected() {
    for (int right = 0; right < 6; right++) {
      assertThat(timing(right).problems())
          .as("right=%d", right)
          .first()
          .asString()
          .startsWith("wrong byte: rank=0, buffer=out");
    }
  }

  @Test
  void processesShareTheSlowestTimeAndAllProblems() throws Exception {
    List<Bootstrap> group = InProcessBootstrap.group(3, SOON);
    List<Future<List<Object>>> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      for (Bootstrap rank : group) {
        results.add(threads.submit(heard(rank)));
      }
      for (int rank = 0; rank < 3; rank++) {
        assertThat(results.get(rank).get())
            .containsExactly(Duration.ofNanos(12), "of rank 1", List.of());
      }
    } finally {
      group.forEach(Bootstrap::close);
    }
  }

  private static Callable<List<Object>> heard(Bootstrap rank) {
    return () -> {
      ReplayCoordination pace = new ReplayCoordination.CoordinatedReplay(rank);
      pace.start();
      Duration slowest = pace.slowest(Duration.ofNanos(10 + rank.rank()));
      List<String> one = pace.problems(rank.rank() == 1 ? List.of("of rank 1") : List.of());
      List<String> none = pace.problems(List.of());
      return List.of(slowest, one.getFirst(), none);
    };
  }
}
