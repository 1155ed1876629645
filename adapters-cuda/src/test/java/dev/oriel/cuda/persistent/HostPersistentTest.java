package dev.oriel.cuda.persistent;

import dev.oriel.cuda.window.TestDevices;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.PersistentContract;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.StepStream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Persistent calls step by step over windows as on GPUs, in memory of the host, among threads. */
@EnabledOnOs(OS.LINUX)
final class HostPersistentTest extends PersistentContract {
  @Override
  protected CallStream stream(Window window, long id) {
    return new StepStream(id);
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return TestDevices.onHost(bootstrap, bytes);
  }
}
