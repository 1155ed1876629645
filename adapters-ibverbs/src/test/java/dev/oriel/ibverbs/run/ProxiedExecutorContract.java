package dev.oriel.ibverbs.run;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.PeerConnections;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.queue.PlayedConnections;
import dev.oriel.ibverbs.queue.ProxyNetwork;
import dev.oriel.ibverbs.queue.VerbsCarrier;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.ExecutorContract;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;

/**
 * The contract of programs whose ranks pass their requests to a proxy, in the bytes that GPUs
 * write; the proxy posts them to a device.
 */
public abstract class ProxiedExecutorContract extends ExecutorContract {
  private static final int SLOTS = 32;

  protected ProxiedExecutorContract() {
    super(EnumSet.noneOf(Capability.class));
  }

  /** Open devices. */
  protected abstract List<DeviceContext> devices();

  /** An executor of all ranks; devices are opened for each program. */
  public static Executor over(Supplier<List<DeviceContext>> devices, FabricListener listener) {
    VerbsCarrier carrier = new VerbsCarrier(devices, VerbsSettings.USUAL);
    return new VerbsExecutor(new Proxied(carrier), ProcessGroup.ALONE, listener, System::nanoTime);
  }

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
    return List.of(over(this::devices, listener));
  }

  private static final class Proxied implements DeviceWiring {
    private final VerbsCarrier carrier;
    private PlayedConnections.Group group;

    Proxied(VerbsCarrier carrier) {
      this.carrier = carrier;
      this.group = group();
    }

    private PlayedConnections.Group group() {
      return new PlayedConnections.Group(new ProxyNetwork(carrier, SLOTS));
    }

    @Override
    public PeerConnections connections(int rank, int world) {
      if (rank == 0) {
        group = group();
      }
      return new PlayedConnections(group, rank);
    }

    @Override
    public void close() {}
  }
}
