package dev.oriel.it.example;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.cuda.device.DeviceFailure;
import dev.oriel.cuda.device.DeviceHandle;
import dev.oriel.cuda.device.DeviceSlots;
import dev.oriel.cuda.persistent.GpuCalls;
import dev.oriel.cuda.persistent.GpuStream;
import dev.oriel.cuda.window.GpuCommunicators;
import dev.oriel.cuda.window.GpuWindow;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.certificate.CertificateSet;
import dev.oriel.domain.certificate.CertificateText;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Executor;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import dev.oriel.ports.certificate.CertifiedExecutor;
import dev.oriel.ports.persistent.CallResult;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.PersistentCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * The code of {@code use-gpus.md} and {@code own-kernels.md} in {@code it/docs/howto}: it compiles
 * here, and needs GPUs to run.
 */
final class GpuExample {
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private GpuExample() {}

  /** A persistent call in the caller's stream; the bootstrap has this rank, a thread or process. */
  static CallResult gather(Bootstrap bootstrap, long handle) throws TimeoutException {
    // Where ranks announce requests, the first slot, the most requests at once, the barrier.
    CallSpec spec = new CallSpec(12288, 0, 2, 0);
    WindowSpec hat =
        WindowSpec.named("hat")
            .withData(DataSizes.uniform(16384))
            .withSignals(spec.signalCount())
            .withBarriers(1);
    try (Communicator world = GpuCommunicators.byRank(System::nanoTime).join(bootstrap);
        Window window = world.window(hat);
        PersistentCalls calls =
            PersistentCalls.over(
                window, spec, GpuCalls.over(window, spec, System::nanoTime), DEADLINE)) {
      GpuStream stream = GpuStream.external(GpuWindow.of(window).gpu(), handle);
      WindowRegion out = new WindowRegion("hat", 0, 4096);
      return calls.allGather(stream, out, window, 8192, 1024, DEADLINE);
    }
  }

  /** A launch of a kernel of the caller over a window; {@code launch} puts it into a stream. */
  static Optional<DeviceFailure> ring(Bootstrap bootstrap, RingLaunch kernel) {
    WindowSpec spec = WindowSpec.named("tiles").withData(DataSizes.uniform(4096));
    try (Communicator world = GpuCommunicators.byRank(System::nanoTime).join(bootstrap);
        Window window = world.window(spec);
        // No signal, one barrier, no counter; the same on every rank.
        DeviceHandle handle =
            DeviceHandle.over(window, new DeviceSlots(0, 1, 0), System::nanoTime)) {
      handle.timeout(Duration.ofSeconds(5)); // of each wait in a kernel
      long[] struct = handle.words(); // the kernel's parameter oriel::Window, 128 bytes
      kernel.launch(struct);
      return handle.await(kernel::idle, DEADLINE);
    }
  }

  /** How the caller launches its kernel, for instance by {@code cuLaunchKernel}. */
  interface RingLaunch {
    void launch(long[] window);

    /** Whether the stream has no more work. */
    boolean idle();
  }

  /** A machine that prepares only programs that the certificate covers. */
  static Executor proved(Executor machine, Path path) throws IOException {
    CertificateSet certificates =
        new CertificateSet(List.of(CertificateText.parse(Files.readString(path))));
    return CertifiedExecutor.of(machine, certificates);
  }

  /** A program of one rank on memory of the caller, launched once in the caller's stream. */
  static Outcome launch(
      CudaExecutor executor, Program program, Topology topology, int rank, Tensors memory) {
    try (CudaInstance instance =
        executor.prepare(
            program,
            topology,
            Map.of(
                rank,
                Map.of(
                    "in", new UserMemory(memory.input(), memory.bytes()),
                    "out", new UserMemory(memory.output(), memory.bytes()))))) {
      instance.record(rank, memory.stream()); // your CUstream, non-blocking
      return instance.settle(rank, memory.stream(), DEADLINE); // waits for its end
    }
  }

  /** Addresses of the caller's input and output on the GPU, their size, and the caller's stream. */
  record Tensors(long input, long output, long bytes, long stream) {}
}
