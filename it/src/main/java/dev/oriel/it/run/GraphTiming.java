package dev.oriel.it.run;

import dev.oriel.cuda.CudaInstance;
import dev.oriel.domain.binding.Program;
import dev.oriel.ports.Executor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The time of one of many calls in a replayed graph, on the slowest GPU, in microseconds.
 *
 * @param micros of each replay, shortest first
 * @param problems the errors in the outputs of the first wrong replay
 * @param preparations loads, allocations and creations on the GPUs of this process by all replays
 *     but the first
 */
public record GraphTiming(List<Double> micros, List<String> problems, long preparations) {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** With two inputs, a replay without effect leaves poison, or the output for the other input. */
  private static final int INPUTS = 2;

  /**
   * Records the calls, replays them once to warm up, and then that many times. Before each replay
   * it writes other inputs and poisons outputs; after it, it compares every output byte.
   */
  public static GraphTiming of(
      Program program,
      CudaInstance cuda,
      int calls,
      int replays,
      SplittableRandom random,
      ReplayCoordination pace) {
    return of(program, cuda, cuda.record(calls), cuda::preparations, calls, replays, random, pace);
  }

  static GraphTiming of(
      Program program,
      Executor.Instance instance,
      CudaInstance.Recording recording,
      LongSupplier preparations,
      int calls,
      int replays,
      SplittableRandom random,
      ReplayCoordination pace) {
    List<CheckedLaunch> inputs =
        Stream.generate(() -> new CheckedLaunch(program, instance, random.split()))
            .limit(INPUTS)
            .toList();
    List<Double> micros = new ArrayList<>();
    long prepared = 0;
    for (int i = 0; i <= replays; i++) {
      CheckedLaunch checked = inputs.get(i % INPUTS);
      checked.fill();
      pace.start();
      CudaInstance.ReplayResult replayed = recording.replay(TIMEOUT);
      List<String> problems =
          new ArrayList<>(CheckedLaunch.ends(instance.ranks(), replayed.outcomes()));
      if (problems.isEmpty()) {
        problems.addAll(checked.problems());
      }
      // A process without errors must not start a replay that the others do not start.
      List<String> all = pace.problems(problems);
      if (!all.isEmpty()) {
        return new GraphTiming(List.of(0.0), all, 0);
      }
      double took = pace.slowest(replayed.slowest()).toNanos() / 1e3 / calls;
      if (i == 0) {
        prepared = preparations.getAsLong();
      } else {
        micros.add(took);
      }
    }
    prepared = preparations.getAsLong() - prepared;
    micros.sort(null);
    return new GraphTiming(micros, List.of(), prepared);
  }

  public double median() {
    return micros.get(micros.size() / 2);
  }

  double min() {
    return micros.getFirst();
  }

  double max() {
    return micros.getLast();
  }
}
