package dev.oriel.cuda.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.RankThreads;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Memory that an application allocated, as a buffer of its rank; runs if there are GPUs. */
@ExtendWith(SharedGpus.class)
final class GpuBufferTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final WindowSpec WINDOW =
      WindowSpec.named("w").withData(DataSizes.uniform(64)).withBarriers(1);
  private static final byte[] BYTES = {1, 2, 3, 4, 5, 6, 7, 8};

  /** The application's bytes, at an odd address, go to the peer, and a get writes into them. */
  private static void travels(Communicator c, Window window, Gpu gpu, long address) {
    gpu.write(address + 3, BYTES);
    try (LocalBuffer buffer = c.buffer(new UserMemory(address + 3, 32))) {
      assertThat(buffer.bytes()).isEqualTo(32);
      assertThat(buffer.read(0, 8)).isEqualTo(BYTES);
      window.put(1 - c.rank(), 8, buffer, 0, 8);
      window.get(1 - c.rank(), 0, buffer, 16, 8);
      assertThat(gpu.read(address + 19, 8)).isEqualTo(new byte[8]);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> window.put(1 - c.rank(), 0, buffer, 30, 8));
    }
    // It is still the application's.
    assertThat(gpu.read(address + 3, 8)).isEqualTo(BYTES);
  }

  private static void inTwo(RankThreads.Task<Communicator, Object> task) {
    List<Bootstrap> group = InProcessBootstrap.group(2, LONG);
    RankThreads.all(
        group,
        ranks -> {
          try (Communicator c = SharedGpus.get().join(ranks)) {
            return task.run(c);
          }
        });
    group.forEach(Bootstrap::close);
  }

  @Test
  void memoryOfAnyKindThatTheGpuReachesIsUsable() {
    inTwo(c -> {
      try (Window window = c.window(WINDOW)) {
        Gpu gpu = GpuWindow.of(window).gpu();
        long allocated = gpu.allocate(64);
        travels(c, window, gpu, allocated);
        gpu.free(allocated);
        window.barrier(0, LONG);
        assertThat(window.read(8, 8)).isEqualTo(BYTES);
        try (SharedMemory mapped = gpu.share(64)) {
          travels(c, window, gpu, mapped.address());
        }
        window.barrier(0, LONG);
      }
      return c;
    });
  }

  @Test
  void rangesBeyondTheAllocationAreRejected() {
    inTwo(c -> {
      try (Window window = c.window(WINDOW);
          SharedMemory mapped = GpuWindow.of(window).gpu().share(64)) {
        UserMemory beyond = new UserMemory(mapped.address() + 8, mapped.bytes());
        assertThatExceptionOfType(MachineException.class)
            .isThrownBy(() -> c.buffer(beyond))
            .withMessageContaining("leaves its allocation");
      }
      return c;
    });
  }
}
