package dev.oriel.it.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.RankThreads;
import dev.oriel.sim.sequential.SequentialMachine;
import dev.oriel.sim.sequential.SimulatedMemory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code of {@code it/docs/howto/your-own-memory.md}, on the simulator. */
class UserMemoryExampleTest {
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  /** Hands the second half of a tensor to the next rank's first half. */
  static OptionalLong handOn(Communicator self, UserMemory tensor) throws TimeoutException {
    int next = (self.rank() + 1) % self.world();
    long half = tensor.bytes() / 2;
    WindowSpec spec =
        WindowSpec.named("tensor").withData(DataSizes.uniform(tensor.bytes())).withBarriers(1);
    try (LocalBuffer buffer = self.buffer(tensor); // registers it
        Window window = self.window(spec, buffer)) { // exchanges it with all ranks
      window.put(next, 0, half, half);
      window.barrier(0, DEADLINE);
      return window.nvlinkAddress(next); // for your kernels; none if the link is RDMA
    } // unmaps it on every rank, then deregisters it: you may free it from here on
  }

  private static byte[] filled(int rank) {
    byte[] bytes = new byte[512];
    Arrays.fill(bytes, (byte) (rank + 1));
    return bytes;
  }

  private static <T> List<T> ranks(Topology topology, RankThreads.Task<Communicator, T> task) {
    Communicator.Factory factory = SequentialMachine.communicators(System::nanoTime, topology);
    List<Bootstrap> group = InProcessBootstrap.group(topology.world(), DEADLINE);
    try {
      return RankThreads.all(
          group,
          bootstrap -> {
            try (Communicator self = factory.join(bootstrap)) {
              return task.run(self);
            }
          });
    } finally {
      group.forEach(Bootstrap::close);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x3", "3x1"})
  void theTensorOfTheNextRankHasTheHalf(String world) {
    Topology topology = Topology.parse(world);
    List<byte[]> halves =
        ranks(
            topology,
            self -> {
              SimulatedMemory gpu = SimulatedMemory.of(self); // in place of cuMemAlloc
              UserMemory tensor = gpu.allocate(MemoryKind.ALLOCATED, 1024);
              gpu.write(tensor, 512, filled(self.rank()));
              OptionalLong address = handOn(self, tensor);
              assertThat(address.isPresent()).isEqualTo(world.equals("1x3"));
              byte[] half = gpu.read(tensor, 0, 512);
              gpu.free(tensor);
              return half;
            });
    assertThat(halves).containsExactly(filled(2), filled(0), filled(1));
  }

  @Test
  void memoryOfTheDefaultPoolIsRefusedOnEveryRank() {
    List<String> messages =
        ranks(
            Topology.parse("1x2"),
            self -> {
              MemoryKind kind = self.rank() == 1 ? MemoryKind.PRIVATE_POOLED : MemoryKind.ALLOCATED;
              UserMemory tensor = SimulatedMemory.of(self).allocate(kind, 1024);
              Throwable failure = catchThrowable(() -> handOn(self, tensor));
              return String.valueOf(failure.getMessage());
            });
    assertThat(messages).containsOnly(messages.getFirst());
    assertThat(messages.getFirst())
        .contains("rank=1", "PRIVATE_POOLED", "make a pool with CU_MEM_HANDLE_TYPE_POSIX");
  }
}
