package dev.oriel.cuda.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.driver.ExportedAllocation;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.process.AllocationExchange.MappedAllocation;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.contract.RankThreads;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AllocationExchangeTest {
  private static final int WORLD = 3;

  private static final PeerFiles NO_FILES = new NoFiles();

  private final List<ExportingProcess> processes =
      IntStream.range(0, WORLD).mapToObj(ExportingProcess::new).toList();
  private final List<Bootstrap> group = InProcessBootstrap.group(WORLD, Duration.ofSeconds(20));
  private final List<ResourceStack> owned =
      IntStream.range(0, WORLD).mapToObj(_ -> new ResourceStack()).toList();

  private final Queue<Integer> met = new ConcurrentLinkedQueue<>();

  @AfterEach
  void closeGroup() {
    group.forEach(Bootstrap::close);
  }

  private List<List<Map<String, MappedAllocation>>> map(
      IntFunction<ProcessSecret> process, IntFunction<Map<String, UserMemory>> mine) {
    return RankThreads.all(
        group,
        ranks -> {
          int rank = ranks.rank();
          ExportingProcess gpu = processes.get(rank);
          return new AllocationExchange(
                  ranks, gpu, new OpenAllocations(gpu), NO_FILES, process.apply(rank))
              .map("memory", mine.apply(rank), () -> meet(rank), owned.get(rank));
        });
  }

  /** While a rank waits for the others, it no longer has their memory open. */
  private void meet(int rank) {
    assertThat(processes.get(rank).open()).isEmpty();
    met.add(rank);
  }

  private static ProcessSecret apart(int rank) {
    return new ProcessSecret(rank, 99);
  }

  /** Rank r has two pieces of one allocation and one of another. */
  private static Map<String, UserMemory> pieces(int rank) {
    return Map.of(
        "a", new UserMemory(ExportingProcess.base(rank, 0) + 16, 100),
        "b", new UserMemory(ExportingProcess.base(rank, 0) + 4096, 200),
        "c", new UserMemory(ExportingProcess.base(rank, 1), 300));
  }

  @Test
  void everyPieceIsMappedThroughItsAllocationOnce() {
    List<List<Map<String, MappedAllocation>>> all =
        map(AllocationExchangeTest::apart, AllocationExchangeTest::pieces);
    for (int rank = 0; rank < WORLD; rank++) {
      ExportingProcess here = processes.get(rank);
      for (int peer = 0; peer < WORLD; peer++) {
        Map<String, MappedAllocation> reached = all.get(rank).get(peer);
        if (peer == rank) {
          pieces(rank)
              .forEach((name, own) ->
                  assertThat(reached.get(name))
                      .isEqualTo(new MappedAllocation(own.address(), own.bytes())));
        } else {
          long first = here.mapped(ExportingProcess.base(peer, 0));
          assertThat(reached)
              .containsEntry("a", new MappedAllocation(first + 16, 100))
              .containsEntry("b", new MappedAllocation(first + 4096, 200))
              .containsEntry(
                  "c", new MappedAllocation(here.mapped(ExportingProcess.base(peer, 1)), 300));
        }
      }
      assertThat(here.open()).hasSize(2 * (WORLD - 1));
    }
    assertThat(met).isEmpty();
    owned.forEach(ResourceStack::close);
    assertThat(met).containsExactly(0, 1, 2);
    assertThat(processes).allSatisfy(process -> assertThat(process.open()).isEmpty());
  }

  @Test
  void withoutSharedPiecesNoRankWaits() {
    List<List<Map<String, MappedAllocation>>> all =
        map(AllocationExchangeTest::apart, _ -> Map.of());
    assertThat(all.get(1)).hasSize(WORLD).allMatch(Map::isEmpty);
    owned.forEach(ResourceStack::close);
    assertThat(met).isEmpty();
  }

  @Test
  void ranksOfOneProcessNeedNoMapping() {
    List<List<Map<String, MappedAllocation>>> all =
        map(_ -> apart(0), AllocationExchangeTest::pieces);
    UserMemory theirs = Objects.requireNonNull(pieces(2).get("b"));
    assertThat(all.get(0).get(2).get("b"))
        .isEqualTo(new MappedAllocation(theirs.address(), theirs.bytes()));
    assertThat(processes.get(0).reached()).contains(1, 2);
    assertThat(processes).allSatisfy(process -> assertThat(process.open()).isEmpty());
  }

  @Test
  void aRankMayShareNothing() {
    List<List<Map<String, MappedAllocation>>> all =
        map(AllocationExchangeTest::apart, rank -> rank == 1 ? Map.of() : pieces(rank));
    assertThat(all.get(0).get(1)).isEmpty();
    assertThat(all.get(1).get(0)).containsOnlyKeys("a", "b", "c");
  }

  @Test
  void memoryThatCannotBeLentIsRejectedOnEveryRank() {
    processes.get(1).pool();
    refusedOnEveryRank("cuMemAlloc");
  }

  @Test
  void aFailedOpenIsReportedOnEveryRankAndLeavesNothingOpen() {
    processes.get(2).refuse();
    refusedOnEveryRank("no room for a mapping: process=2");
  }

  /** A peer that names more bytes than its handle leads to is not believed. */
  @Test
  void memoryThatIsSmallerThanItsRankSaysIsRejected() {
    processes.get(1).shrink();
    refusedOnEveryRank("smaller than it says: rank=0");
  }

  private void refusedOnEveryRank(String why) {
    List<MachineException> failures =
        RankThreads.failures(
            MachineException.class,
            group,
            ranks -> {
              int rank = ranks.rank();
              ExportingProcess gpu = processes.get(rank);
              try (ResourceStack resources = owned.get(rank)) {
                return new AllocationExchange(
                        ranks, gpu, new OpenAllocations(gpu), NO_FILES, apart(rank))
                    .map("memory", pieces(rank), () -> meet(rank), resources);
              }
            });
    assertThat(failures)
        .hasSize(WORLD)
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining(why));
    assertThat(processes).allSatisfy(process -> assertThat(process.open()).isEmpty());
  }

  /** A second close takes nothing from another holder; the last holder's close unmaps. */
  @Test
  void anAllocationIsOpenWhileItHasAHolder() {
    ExportingProcess gpu = processes.get(0);
    OpenAllocations opened = new OpenAllocations(gpu);
    OpenAllocations.Key key = new OpenAllocations.Key(apart(1), 5, 1, 8);
    ExportedAllocation handle =
        gpu.export(gpu.find(new UserMemory(ExportingProcess.base(1, 0), 1)));
    OpenAllocations.AllocationHolder one = opened.hold(key, handle);
    OpenAllocations.AllocationHolder two = opened.hold(key, handle);
    assertThat(two.base()).isEqualTo(one.base());
    one.close();
    one.close();
    assertThat(gpu.open()).hasSize(1);
    two.close();
    assertThat(gpu.open()).isEmpty();
    opened.hold(key, handle).close();
    assertThat(gpu.open()).isEmpty();
  }

  @Test
  void messagesOfARankAreReadWithinBounds() {
    byte[] garbage = new byte[200];
    Arrays.fill(garbage, (byte) -1);
    assertThatThrownBy(() -> SharedAllocation.from(ByteBuffer.wrap(garbage)))
        .isInstanceOf(MachineException.class);
    assertThatThrownBy(() -> SharedAllocation.from(ByteBuffer.wrap(new byte[10])))
        .isInstanceOf(MachineException.class);
  }
}
