package dev.oriel.it.tune;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.MachineOptions;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.run.GpuTimer;
import dev.oriel.it.run.LaunchedProcesses;
import dev.oriel.ports.Executor;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How programs are timed on GPUs. */
final class TimingOptions {
  private static final Duration SET_UP = Duration.ofSeconds(60);

  @Spec(Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--graph",
      defaultValue = "100",
      description = "calls in a measured graph, fewer of many bytes (default: ${DEFAULT-VALUE})")
  private int calls;

  @Option(
      names = "--replays",
      defaultValue = "11",
      description = "replays of a measured graph; their median counts (default: ${DEFAULT-VALUE})")
  private int replays;

  /** All ranks in this process, or those of a launcher with one in each. */
  LaunchedProcesses meet() {
    OptionNumbers.atLeast(spec, "--graph", 1, calls);
    OptionNumbers.atLeast(spec, "--replays", 1, replays);
    return LaunchedProcesses.meet(MachineOptions.gpus(), SET_UP);
  }

  OfferTimer.Timer timer(Executor executor, Topology topology, LaunchedProcesses processes) {
    return OfferTimer.Timer.of(new GpuTimer(executor, topology, processes.pace(), calls, replays));
  }

  /** The kind of GPU on which that machine times programs. */
  static String gpu(Executor executor) {
    if (executor instanceof CudaExecutor cuda) {
      return cuda.gpu();
    }
    throw MachineException.lacking("no GPUs: only programs on GPUs are timed in graphs");
  }
}
