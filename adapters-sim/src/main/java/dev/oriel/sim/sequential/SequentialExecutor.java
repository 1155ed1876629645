package dev.oriel.sim.sequential;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.engine.WorldState;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** An executor that runs every rank in the calling thread; see the package. */
public final class SequentialExecutor implements Executor {
  private final FabricListener listener;
  private final Clock clock;
  private final AtomicInteger open = new AtomicInteger();
  private volatile boolean closed;

  public SequentialExecutor(FabricListener listener, Clock clock) {
    this.listener = listener;
    this.clock = clock;
  }

  @Override
  public String name() {
    return SequentialMachine.NAME;
  }

  @Override
  public Instance prepare(Program program, Topology topology) {
    if (closed) {
      throw new MachineException("executor is closed: name=" + name() + "; open another");
    }
    // All writes are visible at once here, so queues have no effect, and all peers count as near.
    LoweredForm lowered = EngineRequirements.lower(program, topology, Set.of(PeerKind.NVLINK));
    WorldState world = new WorldState(program, topology, lowered);
    open.incrementAndGet();
    return new SequentialInstance(program, world, listener, clock, open::decrementAndGet);
  }

  @Override
  public void close() {
    int left = open.get();
    if (left > 0) {
      throw new MachineException(
          "instances are still open: instances=" + left + "; close them before their executor");
    }
    closed = true;
  }
}
