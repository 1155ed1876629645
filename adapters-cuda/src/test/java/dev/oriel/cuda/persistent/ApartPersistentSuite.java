package dev.oriel.cuda.persistent;

import dev.oriel.cuda.window.TestDevices;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.PersistentContract;
import dev.oriel.ports.contract.ProcessGroups;
import dev.oriel.ports.persistent.CallMachine;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.StepStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/**
 * Persistent calls among processes, each of which runs this suite; by kernels where GPUs allow it.
 */
final class ApartPersistentSuite extends PersistentContract {
  private final Map<Long, GpuStream> streams = new HashMap<>();

  @Override
  protected CallStream stream(Window window, long id) {
    return TestDevices.gpus()
        ? streams.computeIfAbsent(id, _ -> GpuStream.on(TestDevices.gpu(window.rank()), id))
        : new StepStream(id);
  }

  @Override
  protected CallMachine machine(Window window, CallSpec spec) {
    return TestDevices.gpus()
        ? GpuCalls.over(window, spec, System::nanoTime)
        : super.machine(window, spec);
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
    streams.values().forEach(GpuStream::close);
    ProcessGroups.meet();
  }
}
