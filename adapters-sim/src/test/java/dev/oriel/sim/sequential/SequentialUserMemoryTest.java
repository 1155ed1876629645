package dev.oriel.sim.sequential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.contract.ApplicationMemory;
import dev.oriel.ports.contract.RankThreads;
import dev.oriel.ports.contract.UserMemoryContract;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory of the application, in each shape of a world. */
class SequentialUserMemoryTest {

  /** What an application allocates on the simulator, of one kind. */
  record Simulated(SimulatedMemory memory, MemoryKind kind) implements ApplicationMemory {
    @Override
    public UserMemory allocate(long bytes) {
      return memory.allocate(kind, bytes);
    }

    @Override
    public void free(UserMemory user) {
      memory.free(user);
    }

    @Override
    public void write(UserMemory user, long offset, byte[] bytes) {
      memory.write(user, offset, bytes);
    }

    @Override
    public byte[] read(UserMemory user, long offset, int length) {
      return memory.read(user, offset, length);
    }
  }

  abstract static class Shape extends UserMemoryContract {
    private final SequentialWire wire = new SequentialWire();
    private final IntFunction<Topology> shape;

    Shape(IntFunction<Topology> shape) {
      super(Set.of());
      this.shape = shape;
    }

    @Override
    protected Topology topology(int world) {
      return shape.apply(world);
    }

    @Override
    protected Member member(Bootstrap bootstrap, Topology topology, long bytes) {
      Communicator made =
          new SequentialCommunicators(
                  wire,
                  System::nanoTime,
                  (wire, rank, world) -> new SequentialFabric(wire, topology.facts(rank), bytes))
              .join(bootstrap);
      return new Member(made, new Simulated(SimulatedMemory.of(made), MemoryKind.ALLOCATED));
    }

    @Override
    protected UserMemory nowhere(Communicator self) {
      return new UserMemory(64, 64);
    }
  }

  @Nested
  final class OneHost extends Shape {
    OneHost() {
      super(world -> Topology.grid(1, world));
    }

    /** Each kind that GPUs cannot share is refused on every rank, with the remedy. */
    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void kindsThatPeersCannotMapAreRefusedOnAll(MemoryKind kind) {
      WindowSpec spec = WindowSpec.named("k").withData(DataSizes.uniform(64));
      List<String> messages =
          inBare(self -> {
            SimulatedMemory memory = SimulatedMemory.of(self);
            UserMemory user = memory.allocate(self.rank() == 1 ? kind : MemoryKind.ALLOCATED, 64);
            try (LocalBuffer buffer = self.buffer(user)) {
              Throwable failure = catchThrowable(() -> self.window(spec, buffer).close());
              return failure == null ? "" : String.valueOf(failure.getMessage());
            } finally {
              memory.free(user);
            }
          });
      assertThat(messages).containsOnly(messages.getFirst());
      if (kind.obstacle().isEmpty()) {
        assertThat(messages.getFirst()).isEmpty();
      } else {
        assertThat(messages.getFirst())
            .contains("rank=1", "kind=" + kind, kind.obstacle().orElseThrow());
      }
    }

    private List<String> inBare(RankThreads.Task<Communicator, String> task) {
      List<Bootstrap> group = InProcessBootstrap.group(2, Duration.ofSeconds(20));
      try {
        return RankThreads.all(
            group,
            ranks -> {
              try (Communicator self = member(ranks, topology(2), PLENTY).communicator()) {
                return task.run(self);
              }
            });
      } finally {
        group.forEach(Bootstrap::close);
      }
    }

    @Test
    void addressesOfOtherGpusAndFreedOnesAreRefused() {
      List<UserMemory> given = new CopyOnWriteArrayList<>();
      List<String> messages =
          inBare(self -> {
            SimulatedMemory memory = SimulatedMemory.of(self);
            UserMemory user = memory.allocate(MemoryKind.ALLOCATED, 64);
            given.add(user);
            UserMemory beyond = new UserMemory(user.address() + 32, 64);
            assertThatExceptionOfType(MachineException.class)
                .isThrownBy(() -> self.buffer(beyond))
                .withMessageContaining("leaves its allocation");
            try (LocalBuffer buffer = self.buffer(user)) {
              assertThat(buffer.bytes()).isEqualTo(64);
              assertThatExceptionOfType(MachineException.class)
                  .isThrownBy(() -> memory.free(user))
                  .withMessageContaining("while buffers use it");
            }
            memory.free(user);
            assertThatExceptionOfType(MachineException.class).isThrownBy(() -> memory.free(user));
            Throwable freed = catchThrowable(() -> self.buffer(user));
            UserMemory again = memory.allocate(MemoryKind.ALLOCATED, 64);
            assertThat(again).isEqualTo(user);
            memory.free(again);
            return String.valueOf(freed.getMessage());
          });
      assertThat(messages)
          .allSatisfy(text -> assertThat(text).contains("no memory at that address"));
      assertThat(given.get(0).address()).isNotEqualTo(given.get(1).address());
    }
  }

  @Nested
  final class OneGpuPerHost extends Shape {
    OneGpuPerHost() {
      super(world -> Topology.grid(world, 1));
    }
  }

  /** Even ranks share a host, odd ones have a host each. */
  @Nested
  final class Mixed extends Shape {
    Mixed() {
      super(world ->
          Topology.of(
              IntStream.range(0, world)
                  .mapToObj(rank ->
                      rank % 2 == 0
                          ? Topology.grid(1, world).facts(rank)
                          : RankFacts.of("far" + rank, 0))
                  .toList()));
    }
  }
}
