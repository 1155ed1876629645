package dev.oriel.ports.contract;

import static dev.oriel.ports.contract.RankThreads.all;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * The requirements on memory that the application allocated: as a buffer, and as a rank's part of
 * windows. All promises of windows hold for it, too.
 */
public abstract class UserMemoryContract extends WindowContract {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final WindowSpec SPEC =
      WindowSpec.named("u").withData(DataSizes.uniform(256)).withSignals(1).withBarriers(1);

  private final Map<Communicator, ApplicationMemory> memories = new ConcurrentHashMap<>();

  protected UserMemoryContract(Set<Capability> lacking) {
    super(lacking);
  }

  /** A rank, and the memory of its application. */
  public record Member(Communicator communicator, ApplicationMemory memory) {}

  /** Joins one rank, as {@link #join} does. */
  protected abstract Member member(Bootstrap bootstrap, Topology topology, long bytes);

  /** Memory that is not there. */
  protected abstract UserMemory nowhere(Communicator self);

  @Override
  protected final Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    Member member = member(bootstrap, topology, bytes);
    Communicator communicator = new UserMemoryCommunicator(member.communicator(), member.memory());
    memories.put(communicator, member.memory());
    return communicator;
  }

  private ApplicationMemory memory(Communicator self) {
    return Objects.requireNonNull(memories.get(self));
  }

  /** The actions of one rank with memory of its application. */
  @FunctionalInterface
  private interface Code {
    void run(Communicator self, ApplicationMemory memory) throws Exception;
  }

  private void ranks(int world, Code code) {
    inWorld(
        world,
        self -> {
          code.run(self, memory(self));
          return self.rank();
        });
  }

  /** The bytes stay the application's: a window neither zeroes them nor takes them along. */
  @Test
  void peersReadAndWriteTheApplicationsBytes() {
    ranks(
        3,
        (self, memory) -> {
          int rank = self.rank();
          UserMemory user = memory.allocate(256);
          memory.write(user, 0, WindowSuite.bytes(128, rank));
          try (LocalBuffer buffer = self.buffer(user)) {
            try (Window window = self.window(SPEC, buffer)) {
              window.barrier(0, LONG);
              window.get((rank + 1) % 3, 5, 200, 50);
              window.flush((rank + 1) % 3, LONG);
              window.put((rank + 2) % 3, 128, 0, 64);
              window.barrier(0, LONG);
            }
            assertThat(buffer.read(128, 64))
                .isEqualTo(Arrays.copyOf(WindowSuite.bytes(128, (rank + 1) % 3), 64));
          }
          assertThat(memory.read(user, 0, 128)).isEqualTo(WindowSuite.bytes(128, rank));
          assertThat(memory.read(user, 128, 64))
              .isEqualTo(Arrays.copyOf(WindowSuite.bytes(128, (rank + 1) % 3), 64));
          assertThat(memory.read(user, 200, 50))
              .isEqualTo(Arrays.copyOfRange(WindowSuite.bytes(128, (rank + 1) % 3), 5, 55));
          memory.free(user);
        });
  }

  /** Two buffers that overlap, and two windows over one of them. */
  @Test
  void memoryMayBeInSeveralBuffersAndWindows() {
    ranks(
        2,
        (self, memory) -> {
          int peer = 1 - self.rank();
          UserMemory user = memory.allocate(512);
          LocalBuffer low = self.buffer(new UserMemory(user.address(), 256));
          LocalBuffer high = self.buffer(new UserMemory(user.address() + 128, 256));
          Window one = self.window(named("one"), low);
          Window two = self.window(named("two"), high);
          Window three = self.window(named("three"), low);
          memory.write(user, 128, WindowSuite.bytes(64, self.rank()));
          one.barrier(0, LONG);
          // Offset 128 of one window is offset 0 of the other.
          two.get(peer, 0, 192, 64);
          two.flush(peer, LONG);
          two.barrier(0, LONG);
          assertThat(memory.read(user, 320, 64)).isEqualTo(WindowSuite.bytes(64, peer));
          one.close();
          three.put(peer, 0, low, 128, 64);
          three.barrier(0, LONG);
          assertThat(memory.read(user, 0, 64)).isEqualTo(WindowSuite.bytes(64, peer));
          three.close();
          low.close();
          two.put(peer, 64, high, 0, 64);
          two.barrier(0, LONG);
          assertThat(memory.read(user, 192, 64)).isEqualTo(WindowSuite.bytes(64, peer));
          two.close();
          high.close();
          memory.free(user);
        });
  }

  private static WindowSpec named(String name) {
    return WindowSpec.named(name).withData(DataSizes.uniform(256)).withSignals(1).withBarriers(1);
  }

  /** An address that was freed and allocated again is other memory. */
  @Test
  void reusedAddressesLeadToTheNewMemory() {
    ranks(
        2,
        (self, memory) -> {
          int peer = 1 - self.rank();
          for (int round = 0; round < 12; round++) {
            long bytes = 256L << (round % 3);
            UserMemory user = memory.allocate(bytes);
            memory.write(user, 0, WindowSuite.bytes(256, 10 * round + self.rank()));
            try (LocalBuffer buffer = self.buffer(new UserMemory(user.address(), 256));
                LocalBuffer into = self.buffer(256);
                Window window = self.window(SPEC, buffer)) {
              window.barrier(0, LONG);
              window.get(peer, 0, into, 0, 256);
              window.flush(peer, LONG);
              assertThat(into.read(0, 256)).isEqualTo(WindowSuite.bytes(256, 10 * round + peer));
              window.barrier(0, LONG);
            }
            memory.free(user);
          }
        });
  }

  @Test
  void aBufferIsOpenAsLongAsItsWindow() {
    ranks(
        2,
        (self, memory) -> {
          UserMemory user = memory.allocate(256);
          LocalBuffer buffer = self.buffer(user);
          Window window = self.window(SPEC, buffer);
          assertThatExceptionOfType(MachineException.class)
              .isThrownBy(buffer::close)
              .withMessageContainingAll("part of open windows", "[u]");
          window.put(1 - self.rank(), 0, buffer, 128, 8);
          window.barrier(0, LONG);
          window.close();
          buffer.close();
          buffer.close();
          List<Runnable> calls =
              List.of(() -> buffer.read(0, 1), () -> buffer.write(0, new byte[1]));
          assertThat(calls)
              .allSatisfy(call ->
                  assertThatExceptionOfType(MachineException.class)
                      .isThrownBy(call::run)
                      .withMessageContaining("closed"));
          try (LocalBuffer again = self.buffer(user);
              Window other = self.window(named("v"), again)) {
            assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> other.put(1 - self.rank(), 0, buffer, 0, 8))
                .withMessageContaining("closed");
            other.barrier(0, LONG);
          }
          memory.free(user);
        });
  }

  /** What one rank does wrong is named on all, and they may try again. */
  @Test
  void aPartThatIsRefusedIsRefusedOnAllRanks() {
    List<List<String>> refusals =
        inWorld(
            3,
            self -> {
              ApplicationMemory memory = memory(self);
              UserMemory user = memory.allocate(512);
              LocalBuffer whole = self.buffer(user);
              LocalBuffer part = self.buffer(new UserMemory(user.address(), 256));
              LocalBuffer odd = self.buffer(new UserMemory(user.address() + 8, 256));
              LocalBuffer closed = self.buffer(new UserMemory(user.address(), 256));
              closed.close();
              Window window = self.window(named("w"), part);
              List<String> messages =
                  List.of(
                      failure(self, self.rank() == 1 ? whole : part),
                      failure(self, self.rank() == 2 ? closed : part),
                      failure(self, self.rank() == 1 ? window : part),
                      failure(self, self.rank() == 0 ? odd : part),
                      mixed(self, part));
              window.close();
              self.window(SPEC, part).close();
              part.close();
              odd.close();
              whole.close();
              memory.free(user);
              return messages;
            });
    assertThat(refusals).containsOnly(refusals.getFirst());
    assertThat(refusals.getFirst().get(0))
        .contains("another size", "rank=1", "bytes=512", "part=256");
    assertThat(refusals.getFirst().get(1)).contains("rank=2", "closed");
    assertThat(refusals.getFirst().get(2)).contains("rank=1", "no buffer of a communicator");
    assertThat(refusals.getFirst().get(3)).contains("rank=0", "not aligned", "alignment=16");
    assertThat(refusals.getFirst().get(4)).contains("rank=1", "memory=the window's");
  }

  private static String failure(Communicator self, LocalBuffer part) {
    Throwable failure = catchThrowable(() -> self.window(SPEC, part));
    assertThat(failure).isInstanceOf(MachineException.class);
    return String.valueOf(failure.getMessage());
  }

  /** One rank lets the machine allocate its part. */
  private static String mixed(Communicator self, LocalBuffer part) {
    Communicator inner = ((UserMemoryCommunicator) self).inner();
    Throwable failure =
        catchThrowable(() -> {
          if (self.rank() == 1) {
            inner.window(SPEC);
          } else {
            inner.window(SPEC, part);
          }
        });
    assertThat(failure).isInstanceOf(MachineException.class);
    return String.valueOf(failure.getMessage());
  }

  /** The others free their memory and leave. */
  @Test
  void aRankThatIsLostDuringTheExchangeIsNamed() {
    all(
        group(3, LONG),
        bootstrap -> {
          try (Communicator self = join(bootstrap, topology(3), PLENTY)) {
            ApplicationMemory memory = memory(self);
            UserMemory user = memory.allocate(256);
            try (LocalBuffer buffer = self.buffer(user)) {
              if (bootstrap.rank() == 2) {
                bootstrap.close();
              } else {
                assertThatExceptionOfType(BootstrapException.class)
                    .isThrownBy(() -> self.window(SPEC, buffer))
                    .satisfies(failure -> assertThat(failure.ranks()).containsExactly(2));
              }
            }
            memory.free(user);
          }
          return bootstrap;
        });
  }

  @Test
  void memoryThatIsNotThereIsRefused() {
    ranks(
        2,
        (self, memory) -> {
          UserMemory user = memory.allocate(64);
          assertThatExceptionOfType(MachineException.class)
              .isThrownBy(() -> self.buffer(nowhere(self)))
              .withMessageContaining("address=" + nowhere(self).address());
          self.buffer(user).close();
          memory.free(user);
        });
  }

  @Test
  void partsOnMappedLinksHaveAddresses() {
    ranks(
        3,
        (self, memory) -> {
          UserMemory user = memory.allocate(256);
          try (LocalBuffer buffer = self.buffer(user);
              Window window = self.window(SPEC, buffer);
              Window none = self.window(WindowSpec.named("none"))) {
            assertThat(window.nvlinkAddress(self.rank())).hasValue(user.address());
            for (int peer = 0; peer < 3; peer++) {
              assertThat(window.nvlinkAddress(peer).isPresent()).isEqualTo(window.mapped(peer));
              assertThat(none.nvlinkAddress(peer)).isEmpty();
            }
            WindowSuite.refused(() -> window.nvlinkAddress(3));
            barrier(window);
          }
          memory.free(user);
        });
  }

  private static void barrier(Window window) throws TimeoutException {
    window.barrier(0, LONG);
  }
}
