package dev.oriel.cuda.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.contract.UserMemoryContract;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Memory of the application as on GPUs, in memory of the host, among threads. */
@EnabledOnOs(OS.LINUX)
final class HostUserMemoryTest extends UserMemoryContract {
  HostUserMemoryTest() {
    super(Set.of());
  }

  @Override
  protected Member member(Bootstrap bootstrap, Topology topology, long bytes) {
    return TestDevices.member(bootstrap, bytes);
  }

  @Override
  protected UserMemory nowhere(Communicator self) {
    return new UserMemory(4096, 64);
  }
}
