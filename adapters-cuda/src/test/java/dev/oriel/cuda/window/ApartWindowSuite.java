package dev.oriel.cuda.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.ProcessGroups;
import dev.oriel.ports.contract.WindowContract;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/** Windows among processes, each of which runs this suite. */
final class ApartWindowSuite extends WindowContract {
  ApartWindowSuite() {
    super(Set.of());
  }

  @Override
  protected List<Bootstrap> open(int world, Duration deadline) {
    return ProcessGroups.open(world, deadline);
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return TestDevices.apart(bootstrap);
  }

  @AfterEach
  void meet() {
    ProcessGroups.meet();
  }
}
