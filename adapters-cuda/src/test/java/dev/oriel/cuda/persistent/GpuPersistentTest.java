package dev.oriel.cuda.persistent;

import dev.oriel.cuda.window.SharedGpus;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.PersistentContract;
import dev.oriel.ports.persistent.CallMachine;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.CallStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Persistent calls as kernels and graphs; runs where there are GPUs. */
@ExtendWith(SharedGpus.class)
final class GpuPersistentTest extends PersistentContract {
  private final Map<List<Object>, GpuStream> streams = new ConcurrentHashMap<>();

  @Override
  protected CallStream stream(Window window, long id) {
    return streams.computeIfAbsent(
        List.of(window.rank(), id), _ -> GpuStream.on(SharedGpus.of(window.rank()), id));
  }

  @Override
  protected CallMachine machine(Window window, CallSpec spec) {
    return GpuCalls.over(window, spec, System::nanoTime);
  }

  @AfterEach
  void closeStreams() {
    streams.values().forEach(GpuStream::close);
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return SharedGpus.get().join(bootstrap);
  }
}
