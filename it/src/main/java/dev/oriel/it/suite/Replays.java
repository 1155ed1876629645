package dev.oriel.it.suite;

import dev.oriel.cuda.CudaInstance;
import dev.oriel.ports.Executor;
import dev.oriel.ports.Outcome;
import java.time.Duration;
import java.util.List;

/**
 * One launch after another of an instance, every other one out of a graph that was recorded once,
 * where the machine has graphs: what a lane knows of its launch must not be a captured constant.
 */
final class Replays {
  private final Executor.Instance instance;
  private final CudaInstance.Recording recorded;
  private long made;

  private Replays(Executor.Instance instance, CudaInstance.Recording recorded) {
    this.instance = instance;
    this.recorded = recorded;
  }

  static Replays of(Executor.Instance instance) {
    return new Replays(
        instance,
        instance instanceof CudaInstance gpus
            ? gpus.record(1)
            : deadline -> new CudaInstance.Replayed(instance.launch(deadline), Duration.ZERO));
  }

  /** The next one. */
  List<Outcome> next(Duration deadline) {
    return made++ % 2 == 0 ? instance.launch(deadline) : recorded.replay(deadline).outcomes();
  }
}
