package dev.oriel.it.run;

import dev.oriel.cuda.CudaInstance;
import dev.oriel.domain.binding.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How long one of many calls in a replayed graph takes, on the slowest GPU, in microseconds.
 *
 * @param micros of each replay, shortest first
 * @param problems what the outputs lacked after the last replay
 * @param preparations what was loaded, allocated or made on the GPUs by all replays but the first
 */
public record GraphTiming(List<Double> micros, List<String> problems, long preparations) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Records the calls, replays them once to warm up, and then so many times; on fresh inputs. */
  public static GraphTiming of(
      Program program, CudaInstance cuda, int calls, int replays, SplittableRandom random) {
    CudaInstance.Recording recording = cuda.record(calls);
    CheckedLaunch checked = new CheckedLaunch(program, cuda, random.split());
    checked.fill();
    List<Double> micros = new ArrayList<>();
    long prepared = 0;
    for (int i = 0; i <= replays; i++) {
      CudaInstance.Replayed replayed = recording.replay(PATIENCE);
      List<String> ends = CheckedLaunch.ends(cuda.ranks(), replayed.outcomes());
      if (!ends.isEmpty()) {
        return new GraphTiming(List.of(0.0), ends, 0);
      }
      if (i == 0) {
        prepared = cuda.preparations();
      } else {
        micros.add(replayed.slowest().toNanos() / 1e3 / calls);
      }
    }
    prepared = cuda.preparations() - prepared;
    micros.sort(null);
    return new GraphTiming(micros, checked.problems(), prepared);
  }

  double median() {
    return micros.get(micros.size() / 2);
  }

  double min() {
    return micros.getFirst();
  }

  double max() {
    return micros.getLast();
  }
}
