package dev.oriel.ibverbs.run;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.ExecutorContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;

/** What executors on one device do, each rank with one of its own, on a thread of its own. */
public abstract class VerbsExecutorContract extends ExecutorContract {
  private final List<VerbsExecutor> executors = new ArrayList<>();

  protected VerbsExecutorContract() {
    super(EnumSet.noneOf(Capability.class));
  }

  /** Open devices for a rank. */
  protected abstract List<Context> devices(int rank);

  @Override
  protected Topology topology(int world) {
    return Topology.grid(world, 1);
  }

  @Override
  protected int largestWorld() {
    return 4;
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    for (Bootstrap ranks : InProcessBootstrap.group(topology.world(), Duration.ofSeconds(40))) {
      executors.add(
          new VerbsExecutor(
              devices(ranks.rank()),
              new Joined(ranks),
              VerbsSettings.USUAL,
              listener,
              System::nanoTime));
    }
    return List.copyOf(executors);
  }

  @Override
  protected OptionalLong held() {
    return OptionalLong.of(executors.stream().mapToLong(VerbsExecutor::registered).sum());
  }
}
