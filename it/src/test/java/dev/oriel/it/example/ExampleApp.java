package dev.oriel.it.example;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Executor;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.Window;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Runs programs and windows on the machine that its user names. */
final class ExampleApp {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final Map<String, Provider<Executor>> executors;
  private final Map<String, Provider<Communicator.Factory>> communicators;

  @Inject
  ExampleApp(
      Map<String, Provider<Executor>> executors,
      Map<String, Provider<Communicator.Factory>> communicators) {
    this.executors = executors;
    this.communicators = communicators;
  }

  /** Gathers every rank's bytes at every rank: what rank 0 then holds. */
  byte[] allGather(String machine, Program program, Topology topology, List<byte[]> inputs) {
    try (Executor executor = named(executors, machine);
        Executor.Instance instance = executor.prepare(program, topology)) {
      for (int rank : instance.ranks()) {
        instance.write(rank, "in", 0, inputs.get(rank));
      }
      for (Outcome outcome : instance.launch(TIMEOUT)) {
        if (!(outcome instanceof Outcome.Done)) {
          throw new IllegalStateException("all-gather did not end well: outcome=" + outcome);
        }
      }
      return instance.read(0, "out", 0, topology.world() * inputs.getFirst().length);
    }
  }

  /** The factory through which all ranks of this process join. */
  Communicator.Factory world(String machine) {
    return named(communicators, machine);
  }

  /** Passes a byte to the next rank: what the one before passed to this one. */
  static byte passOn(Communicator.Factory world, Bootstrap ranks, byte mine)
      throws TimeoutException {
    WindowSpec spec = WindowSpec.named("hat").withData(DataSizes.uniform(2)).withSignals(1);
    try (Communicator self = world.join(ranks);
        Window window = self.window(spec)) {
      int next = (self.rank() + 1) % self.world();
      int last = Math.floorMod(self.rank() - 1, self.world());
      window.write(0, new byte[] {mine});
      window.put(next, 1, 0, 1);
      window.signal(next, 0, 1);
      window.await(last, 0, Comparison.REACHED, 1, TIMEOUT);
      return window.read(1, 1)[0];
    }
  }

  private static <T> T named(Map<String, Provider<T>> machines, String name) {
    Provider<T> machine = machines.get(name);
    if (machine == null) {
      throw new IllegalArgumentException(
          "unknown machine: name=%s; known: %s".formatted(name, machines.keySet()));
    }
    return machine.get();
  }
}
