package dev.oriel.cuda.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.WindowContract;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Windows as on GPUs, in memory of the host, among threads. */
@EnabledOnOs(OS.LINUX)
final class HostWindowTest extends WindowContract {
  HostWindowTest() {
    super(Set.of());
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return TestDevices.onHost(bootstrap, bytes);
  }
}
