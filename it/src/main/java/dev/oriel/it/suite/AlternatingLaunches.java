package dev.oriel.it.suite;

import dev.oriel.cuda.CudaInstance;
import dev.oriel.ports.Executor;
import dev.oriel.ports.Outcome;
import java.time.Duration;
import java.util.List;

/**
 * Consecutive launches of an instance. If the machine has graphs, every second launch is from a
 * graph that was recorded once: a lane's knowledge of its launch must not be a captured constant.
 */
final class AlternatingLaunches {
  private final Executor.Instance instance;
  private final CudaInstance.Recording recorded;
  private long made;

  private AlternatingLaunches(Executor.Instance instance, CudaInstance.Recording recorded) {
    this.instance = instance;
    this.recorded = recorded;
  }

  static AlternatingLaunches of(Executor.Instance instance) {
    return new AlternatingLaunches(
        instance,
        instance instanceof CudaInstance gpus
            ? gpus.record(1)
            : deadline -> new CudaInstance.ReplayResult(instance.launch(deadline), Duration.ZERO));
  }

  /** Makes the next launch. */
  List<Outcome> next(Duration deadline) {
    return made++ % 2 == 0 ? instance.launch(deadline) : recorded.replay(deadline).outcomes();
  }
}
