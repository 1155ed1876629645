package dev.oriel.cuda.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.channel.ChannelMode;
import dev.oriel.ports.contract.ChannelContract;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Channels of every mode over GPU memory; runs if there are GPUs, including shared ones. */
@ExtendWith(SharedGpus.class)
@ParameterizedClass
@EnumSource(ChannelMode.class)
final class GpuChannelTest extends ChannelContract {
  GpuChannelTest(ChannelMode mode) {
    super(mode, Set.of());
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return SharedGpus.get().join(bootstrap);
  }
}
