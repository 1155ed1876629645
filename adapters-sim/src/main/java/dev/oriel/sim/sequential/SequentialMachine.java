package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Executor;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.FabricListener;
import java.util.List;
import java.util.stream.IntStream;

/** Makes the parts of the sequential machine without dependency injection. */
public final class SequentialMachine {
  /** The name of this machine in apps. */
  public static final String NAME = "sequential";

  private SequentialMachine() {}

  /** An executor that hosts every rank of its programs. */
  public static Executor executor(FabricListener listener, Clock clock) {
    return new SequentialExecutor(listener, clock);
  }

  /**
   * Worlds whose ranks behave like GPUs of one host; all ranks of a world must join through one
   * factory.
   */
  public static Communicator.Factory communicators(Clock clock) {
    return new SequentialCommunicators(clock);
  }

  /** Worlds whose ranks behave like those of {@code topology}. */
  public static Communicator.Factory communicators(Clock clock, Topology topology) {
    return new SequentialCommunicators(clock, topology);
  }

  /** One fabric for each rank of {@code topology}, each with that many bytes; they can connect. */
  public static List<Fabric> fabrics(Topology topology, long bytesPerRank) {
    SequentialWire wire = new SequentialWire();
    return IntStream.range(0, topology.world())
        .<Fabric>mapToObj(rank -> new SequentialFabric(wire, topology.facts(rank), bytesPerRank))
        .toList();
  }
}
