package dev.oriel.ibverbs.ucx;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.channel.ChannelMode;
import dev.oriel.ports.contract.ChannelContract;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of channels over UCX; lines of 128 bytes may arrive in parts. */
@ParameterizedClass
@EnumSource(
    value = ChannelMode.class,
    names = {"SIMPLE", "LL"})
final class UcxChannelTest extends ChannelContract implements UcxWorlds {
  UcxChannelTest(ChannelMode mode) {
    super(mode);
  }

  @Override
  protected Topology topology(int world) {
    return Topology.grid(world, 1);
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return UcxWorlds.join(bootstrap, bytes);
  }
}
