package dev.oriel.cuda.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.contract.ProcessGroups;
import dev.oriel.ports.contract.UserMemoryContract;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/** Memory of the application among processes, each of which runs this suite. */
final class ApartUserMemorySuite extends UserMemoryContract {
  ApartUserMemorySuite() {
    super(Set.of());
  }

  @Override
  protected List<Bootstrap> open(int world, Duration deadline) {
    return ProcessGroups.open(world, deadline);
  }

  @Override
  protected Member member(Bootstrap bootstrap, Topology topology, long bytes) {
    return TestDevices.memberApart(bootstrap);
  }

  @Override
  protected UserMemory nowhere(Communicator self) {
    return new UserMemory(4096, 64);
  }

  @AfterEach
  void meet() {
    ProcessGroups.meet();
  }
}
