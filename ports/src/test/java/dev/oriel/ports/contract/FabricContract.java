package dev.oriel.ports.contract;

import static dev.oriel.ports.contract.RankThreads.start;
import static dev.oriel.ports.contract.RankThreads.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.Fabric.Memory;
import dev.oriel.ports.Fabric.Remote;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The requirements on every {@link Fabric}; the suite holds both ends and exchanges their bytes.
 */
public abstract class FabricContract {
  /** Abilities that an implementation may lack. */
  public enum Capability {
    /** Detects that an export belongs to memory that was freed. */
    STALE_EXPORTS,
    /** Detects bytes that are not an offer or export of its own. */
    FOREIGN_BYTES,
    /** Gives a rank no more than the bytes that the suite requests. */
    LIMITED_MEMORY
  }

  private static final Duration LONG = Duration.ofSeconds(20);

  /** The most that each rank may allocate. */
  private static final long LIMIT = 1 << 20;

  private final Set<Capability> lacking;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** A suite for an implementation that lacks the named capabilities. */
  protected FabricContract(Set<Capability> lacking) {
    this.lacking = lacking;
  }

  /** New fabrics, in rank order, not connected, each with at most {@code bytesPerRank} bytes. */
  protected abstract List<Fabric> open(int world, long bytesPerRank);

  @AfterEach
  final void closeAll() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  private void needs(Capability capability) {
    assumeTrue(!lacking.contains(capability), () -> "lacks " + capability);
  }

  private <T extends AutoCloseable> T own(T resource) {
    opened.push(resource);
    return resource;
  }

  private List<Fabric> fabrics(int world) {
    List<Fabric> fabrics = open(world, LIMIT);
    fabrics.forEach(this::own);
    return fabrics;
  }

  private List<Fabric> connected(int world) {
    List<Fabric> fabrics = fabrics(world);
    for (int rank = 0; rank < world; rank++) {
      for (int peer = 0; peer < world; peer++) {
        fabrics.get(rank).connect(peer, fabrics.get(peer).offer(rank));
      }
    }
    return fabrics;
  }

  /** Memory of rank 1 as rank 0 sees it. */
  private Remote remote(List<Fabric> fabrics, Memory memory) {
    return own(fabrics.get(0).open(1, memory.export()));
  }

  private static byte[] pattern(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 7 + seed);
    }
    return bytes;
  }

  @Test
  void factsOfAllRanksMakeATopology() {
    List<RankFacts> facts = fabrics(3).stream().map(Fabric::facts).toList();
    assertThat(Topology.of(facts).world()).isEqualTo(3);
  }

  @Test
  void memoryIsZeroedAndCounted() {
    Fabric fabric = fabrics(1).get(0);
    Memory memory = own(fabric.allocate(1000));
    assertThat(memory.bytes()).isEqualTo(1000);
    assertThat(memory.read(0, 1000)).containsOnly(0);
    assertThat(fabric.allocated()).isGreaterThanOrEqualTo(1000);
    memory.close();
    memory.close();
    assertThat(fabric.allocated()).isZero();
  }

  @Test
  void memoryThatWasUsedBeforeIsZeroedAgain() {
    Fabric fabric = fabrics(1).get(0);
    for (int i = 0; i < 20; i++) {
      try (Memory memory = fabric.allocate(4096)) {
        assertThat(memory.read(0, 4096)).containsOnly(0);
        memory.write(0, pattern(4096, 1));
      }
    }
  }

  @Test
  void noBytesAreMemoryToo() {
    List<Fabric> fabrics = connected(2);
    Memory none = own(fabrics.get(1).allocate(0));
    Memory own = own(fabrics.get(0).allocate(8));
    Remote remote = remote(fabrics, none);
    assertThat(remote.bytes()).isZero();
    remote.put(0, own, 0, 0);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> remote.put(0, own, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> fabrics.get(1).allocate(-1));
  }

  @Test
  void tooMuchMemoryIsRefusedAndNothingStaysAllocated() {
    needs(Capability.LIMITED_MEMORY);
    Fabric fabric = fabrics(1).get(0);
    Memory half = own(fabric.allocate(LIMIT / 2));
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> fabric.allocate(LIMIT))
        .withMessageContaining(Long.toString(LIMIT));
    half.close();
    assertThat(fabric.allocated()).isZero();
    own(fabric.allocate(LIMIT / 2));
  }

  @Test
  void putAndGetMoveExactlyTheirBytes() throws Exception {
    List<Fabric> fabrics = connected(2);
    Memory here = own(fabrics.get(0).allocate(100));
    Memory there = own(fabrics.get(1).allocate(64));
    here.write(0, pattern(100, 3));
    there.write(0, new byte[64]);
    Remote remote = remote(fabrics, there);
    remote.put(7, here, 50, 33);
    remote.flush(LONG);
    remote.wordRelease(56, 1);
    awaitWord(there, 56, 1);
    byte[] expected = new byte[56];
    System.arraycopy(pattern(100, 3), 50, expected, 7, 33);
    assertThat(there.read(0, 56)).isEqualTo(expected);
    here.write(0, new byte[100]);
    remote.get(7, here, 90, 10);
    remote.flush(LONG);
    assertThat(here.read(90, 10)).isEqualTo(Arrays.copyOfRange(expected, 7, 17));
    assertThat(here.read(0, 90)).containsOnly(0);
  }

  @Test
  void aRankReachesItself() throws Exception {
    Fabric fabric = connected(1).get(0);
    Memory memory = own(fabric.allocate(16));
    memory.write(0, pattern(8, 1));
    Remote self = own(fabric.open(0, memory.export()));
    self.put(8, memory, 0, 8);
    self.flush(LONG);
    assertThat(memory.read(8, 8)).isEqualTo(pattern(8, 1));
  }

  @Test
  void bytesOutsideEitherEndAreRefusedAndNothingMoves() {
    List<Fabric> fabrics = connected(2);
    Memory here = own(fabrics.get(0).allocate(100));
    Memory there = own(fabrics.get(1).allocate(60));
    here.write(0, pattern(100, 1));
    Remote remote = remote(fabrics, there);
    List<Runnable> wrong =
        List.of(
            () -> remote.put(60, here, 0, 1),
            () -> remote.put(0, here, 0, 61),
            () -> remote.put(0, here, 99, 2),
            () -> remote.put(-1, here, 0, 1),
            () -> remote.put(0, here, -1, 1),
            () -> remote.put(0, here, 0, -1),
            () -> remote.put(Long.MAX_VALUE, here, 0, 1),
            () -> remote.get(59, here, 0, 2),
            () -> remote.get(0, here, 99, 2),
            () -> remote.wordRelease(56, 1),
            () -> remote.wordRelease(4, 1),
            () -> there.wordAcquire(60),
            () -> there.wordAcquire(1),
            () -> there.write(58, new byte[3]),
            () -> there.read(0, 61));
    assertThat(wrong)
        .allSatisfy(call ->
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(call::run));
    assertThat(there.read(0, 60)).containsOnly(0);
    assertThat(here.read(0, 100)).isEqualTo(pattern(100, 1));
  }

  @Test
  void aWordIsSeenAfterThePutsBeforeIt() {
    List<Fabric> fabrics = connected(2);
    int rounds = 2000;
    Memory source = own(fabrics.get(0).allocate(512));
    Memory data = own(fabrics.get(1).allocate(512));
    Memory flag = own(fabrics.get(1).allocate(8));
    Memory back = own(fabrics.get(0).allocate(8));
    Remote toData = remote(fabrics, data);
    Remote toFlag = remote(fabrics, flag);
    Remote toBack = own(fabrics.get(1).open(0, back.export()));
    CompletableFuture<Integer> reader =
        start(
            data,
            memory -> {
              int wrong = 0;
              for (int round = 1; round <= rounds; round++) {
                awaitWord(flag, 0, round);
                wrong += Arrays.equals(memory.read(0, 512), pattern(512, round)) ? 0 : 1;
                toBack.wordRelease(0, round);
              }
              return wrong;
            });
    for (int round = 1; round <= rounds; round++) {
      source.write(0, pattern(512, round));
      toData.put(256, source, 256, 256);
      toData.put(0, source, 0, 256);
      toFlag.wordRelease(0, round);
      awaitWord(back, 0, round);
    }
    assertThat(value(reader)).isZero();
  }

  private static void awaitWord(Memory memory, long offset, long value) {
    long end = System.nanoTime() + LONG.toNanos();
    while (memory.wordAcquire(offset) != value) {
      assertThat(System.nanoTime() - end).as("nanoseconds late for %d", value).isNegative();
      // The writer may need this thread's processor.
      LockSupport.parkNanos(10_000);
    }
  }

  @Test
  void offersAndExportsStayTheSame() {
    List<Fabric> fabrics = connected(2);
    Memory memory = own(fabrics.get(1).allocate(8));
    assertThat(memory.export()).isEqualTo(memory.export());
    assertThat(fabrics.get(1).offer(0)).isEqualTo(fabrics.get(1).offer(0));
    fabrics.get(0).connect(1, fabrics.get(1).offer(0));
    assertThat(remote(fabrics, memory).bytes()).isEqualTo(8);
  }

  @Test
  void openingNeedsAConnection() {
    List<Fabric> fabrics = fabrics(2);
    Memory memory = own(fabrics.get(1).allocate(8));
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> fabrics.get(0).open(1, memory.export()))
        .withMessageContaining("peer=1");
  }

  @Test
  void foreignBytesAreRefused() {
    needs(Capability.FOREIGN_BYTES);
    List<Fabric> fabrics = connected(2);
    Memory memory = own(fabrics.get(1).allocate(8));
    byte[] cut = Arrays.copyOf(memory.export(), 3);
    byte[] offer = fabrics.get(1).offer(0);
    Fabric mine = fabrics.get(0);
    List<Runnable> wrong =
        List.of(
            () -> mine.open(1, cut),
            () -> mine.open(1, new byte[0]),
            () -> mine.open(1, offer),
            () -> mine.open(0, memory.export()),
            () -> mine.connect(1, memory.export()),
            () -> mine.connect(1, new byte[200]));
    assertThat(wrong)
        .allSatisfy(
            call -> assertThatExceptionOfType(MachineException.class).isThrownBy(call::run));
  }

  @Test
  void freedMemoryIsNotAccessed() {
    needs(Capability.STALE_EXPORTS);
    List<Fabric> fabrics = connected(2);
    Memory here = own(fabrics.get(0).allocate(8));
    Memory there = own(fabrics.get(1).allocate(8));
    byte[] export = there.export();
    Remote remote = remote(fabrics, there);
    there.close();
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> fabrics.get(0).open(1, export));
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> {
          remote.put(0, here, 0, 8);
          remote.flush(LONG);
        });
  }

  @Test
  void aFabricOutlivesItsMemory() {
    List<Fabric> fabrics = connected(2);
    Memory memory = own(fabrics.get(1).allocate(8));
    Remote remote = remote(fabrics, memory);
    assertThat(fabrics)
        .allSatisfy(f -> assertThatExceptionOfType(MachineException.class).isThrownBy(f::close));
    remote.close();
    remote.close();
    memory.close();
    fabrics.forEach(Fabric::close);
    fabrics.forEach(Fabric::close);
  }
}
