package dev.oriel.cuda.process;

import static dev.oriel.ports.contract.RankThreads.all;
import static dev.oriel.ports.contract.RankThreads.failures;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.driver.OpenFiles;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.cuda.driver.SocketMaker;
import dev.oriel.cuda.driver.UnixSocket;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.DelegatingBootstrap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class ProcessMeshTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final List<String> before = OpenFiles.sockets();
  private final List<Bootstrap> groups = new ArrayList<>();
  private final List<ProcessMesh> meshes = new ArrayList<>();
  private final List<SocketMaker> makers = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> lost = new ConcurrentLinkedQueue<>();
  private final FabricListener listener =
      new FabricListener() {
        @Override
        public void peerLost(int rank, int peer, String cause, long nanos) {
          lost.add(rank + " lost " + peer);
        }
      };

  @AfterEach
  void nothingStaysOpen() {
    meshes.forEach(ProcessMesh::close);
    makers.forEach(SocketMaker::close);
    groups.forEach(Bootstrap::close);
    assertThat(OpenFiles.sockets()).isEqualTo(before);
  }

  private List<Bootstrap> group(int world) {
    List<Bootstrap> group = InProcessBootstrap.group(world, LONG);
    groups.addAll(group);
    return group;
  }

  private List<ProcessMesh> join(int world) {
    List<ProcessMesh> joined =
        all(group(world), ranks -> ProcessMesh.join(ranks, listener, System::nanoTime));
    meshes.addAll(joined);
    joined.forEach(mesh -> mesh.open(0));
    return joined;
  }

  /** One rank with its connections, its stand-in for a GPU, and its resources. */
  private record Rank(
      int number, Bootstrap ranks, ProcessMesh mesh, SocketMaker gpu, ResourceStack owned) {
    List<Long> map(int instance, long bytes) {
      mesh.open(instance);
      return new MemoryExchange<>(ranks, mesh, gpu)
              .map(
                  "instance " + instance,
                  instance,
                  IntStream.range(0, ranks.world()).mapToObj(rank -> bytes + rank).toList(),
                  owned)
              .stream()
              .map(SharedMemory::address)
              .toList();
    }
  }

  private List<Rank> ranks(int world) {
    List<Bootstrap> group = group(world);
    List<ProcessMesh> joined =
        all(group, ranks -> ProcessMesh.join(ranks, listener, System::nanoTime));
    meshes.addAll(joined);
    List<Rank> all = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      makers.add(new SocketMaker(rank));
      all.add(
          new Rank(rank, group.get(rank), joined.get(rank), makers.getLast(), new ResourceStack()));
    }
    return all;
  }

  @Test
  void aWorldOfOneHasNoConnections() {
    ProcessMesh mesh = join(1).getFirst();
    InstanceEnd end = new InstanceEnd(0, InstanceEnd.Kind.ABORTED, "enough");
    assertThat(mesh.ended(0)).isEmpty();
    assertThat(mesh.settle(0, end)).isEqualTo(end);
  }

  @Test
  void everyRankMapsTheMemoryOfEveryOther() {
    List<Rank> ranks = ranks(4);
    List<List<Long>> bases = all(ranks, rank -> rank.map(0, 100));
    for (int rank = 0; rank < 4; rank++) {
      for (int peer = 0; peer < 4; peer++) {
        assertThat(bases.get(rank).get(peer)).isEqualTo(rank == peer ? 1000L * rank : 100 + peer);
      }
      int self = rank;
      assertThat(makers.get(rank).visitors())
          .isEqualTo(
              IntStream.range(0, 4).filter(r -> r != self).mapToObj(r -> "rank " + r).toList());
    }
    ranks.forEach(rank -> rank.owned().close());
    assertThat(makers).allSatisfy(gpu -> assertThat(gpu.mapped()).isZero());
  }

  @Test
  void aRankWithoutMemoryFailsAllRanksWhichMayRetry() {
    List<Rank> ranks = ranks(3);
    makers.get(1).runOutOfMemory();
    List<MachineException> failures =
        failures(MachineException.class, ranks, rank -> rank.map(0, 100));
    assertAlike(failures, "rank=1", "no memory");
    ranks.forEach(rank -> rank.owned().close());
    assertThat(makers).allSatisfy(gpu -> assertThat(gpu.mapped()).isZero());
    ranks.forEach(rank -> rank.mesh().forget(0));
  }

  @Test
  void aRankWithoutPeerAccessFailsAllRanksAndLeavesNothingMapped() {
    List<Rank> ranks = ranks(3);
    makers.get(2).losePeerAccess();
    List<MachineException> failures =
        failures(MachineException.class, ranks, rank -> rank.map(0, 100));
    assertAlike(failures, "rank=2", "no peer access");
    ranks.forEach(rank -> rank.owned().close());
    assertThat(makers).allSatisfy(gpu -> assertThat(gpu.mapped()).isZero());
    ranks.forEach(rank -> rank.mesh().forget(0));
  }

  private static void assertAlike(List<MachineException> failures, String... parts) {
    assertThat(failures.stream().map(Throwable::getMessage).distinct()).hasSize(1);
    assertThat(failures.getFirst()).hasMessageContainingAll(parts);
  }

  @Test
  void unusedMemoryIsClosed() {
    List<Rank> ranks = ranks(2);
    all(
        ranks,
        rank -> {
          try (ResourceStack own = new ResourceStack();
              var file = own.add(rank.gpu().share(1)).export()) {
            rank.mesh().hand(7, file, 1);
            rank.ranks().barrier("handed");
            rank.mesh().forget(7);
          }
          return rank;
        });
    // Nothing is left mapped; sockets that are still open belong to the test itself.
    ranks.forEach(rank -> assertThat(rank.gpu().mapped()).isZero());
  }

  /** A group in which a stranger reads the exchange of places before its rank does. */
  private static final class Watched extends DelegatingBootstrap {
    private final Consumer<List<byte[]>> look;

    Watched(Bootstrap real, Consumer<List<byte[]>> look) {
      super(real);
      this.look = look;
    }

    @Override
    public List<byte[]> allGather(String step, byte[] mine, Duration deadline) {
      List<byte[]> all = super.allGather(step, mine, deadline);
      look.accept(all);
      return all;
    }
  }

  /** Socket names are in a system list that every user can read; secrets are not. */
  @Test
  void strangersAreRejected() {
    try (ResourceStack strangers = new ResourceStack()) {
      Consumer<List<byte[]>> stranger =
          places -> {
            for (byte[] place : places) {
              String name =
                  new String(
                      place, ProcessSecret.BYTES, place.length - ProcessSecret.BYTES, US_ASCII);
              UnixSocket silent = UnixSocket.connect(name);
              UnixSocket guessing = UnixSocket.connect(name);
              UnixSocket babbling = UnixSocket.connect(name);
              guessing.send(new MeshMessage.Hello(2, ProcessSecret.draw()).encoded());
              babbling.send(new byte[] {9, 9});
              synchronized (strangers) {
                strangers.add(silent);
                strangers.add(guessing);
                strangers.add(babbling);
              }
            }
          };
      List<ProcessMesh> joined =
          all(
              group(3),
              ranks -> ProcessMesh.join(new Watched(ranks, stranger), listener, System::nanoTime));
      meshes.addAll(joined);
      joined.forEach(mesh -> mesh.open(0));
      joined.get(0).announce(0, new InstanceEnd(0, InstanceEnd.Kind.ABORTED, "heard by all"));
      assertThat(eventually(joined.get(1)).cause()).isEqualTo("heard by all");
      assertThat(eventually(joined.get(2)).cause()).isEqualTo("heard by all");
    }
  }

  @Test
  void aRankLostBeforeConnectingIsDetectedAtOnce() {
    Consumer<Bootstrap> die =
        ranks -> {
          ranks.close();
          throw new IllegalStateException("killed");
        };
    long start = System.nanoTime();
    List<Exception> failures =
        failures(
            Exception.class,
            group(3),
            ranks ->
                ProcessMesh.join(
                    ranks.rank() == 2 ? new Watched(ranks, _ -> die.accept(ranks)) : ranks,
                    listener,
                    System::nanoTime));
    assertThat(System.nanoTime() - start).isLessThan(LONG.toNanos() / 2);
    for (int rank : new int[] {0, 1}) {
      assertThat(failures.get(rank))
          .isInstanceOfSatisfying(
              BootstrapException.class, e -> assertThat(e.ranks()).containsExactly(2));
    }
  }

  @Test
  void aLostRankIsReportedToAllOnce() {
    List<ProcessMesh> joined = join(3);
    joined.get(1).close();
    for (int rank : new int[] {0, 2}) {
      assertThat(joined.get(rank).settle(0, eventually(joined.get(rank))))
          .isEqualTo(InstanceEnd.lost(1));
      joined.get(rank).open(1);
      assertThat(joined.get(rank).ended(1)).contains(InstanceEnd.lost(1));
    }
    assertThat(lost).containsExactlyInAnyOrder("0 lost 1", "2 lost 1");
  }

  private static InstanceEnd eventually(ProcessMesh mesh) {
    long end = System.nanoTime() + LONG.toNanos();
    while (mesh.ended(0).isEmpty()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(100_000);
    }
    return mesh.ended(0).orElseThrow();
  }

  @Test
  void aRankThatLeavesAfterItsReportIsNotTheCause() {
    List<ProcessMesh> joined = join(3);
    joined.get(2).close();
    joined.get(0).announce(0, eventually(joined.get(0)));
    joined.get(0).close();
    assertThat(eventually(joined.get(1))).isEqualTo(InstanceEnd.lost(2));
    assertThat(joined.get(1).settle(0, InstanceEnd.lost(2))).isEqualTo(InstanceEnd.lost(2));
  }

  @Test
  void anInstanceEndsWithoutTheOthers() {
    List<ProcessMesh> joined = join(2);
    joined.forEach(mesh -> mesh.open(1));
    joined.get(0).announce(1, new InstanceEnd(0, InstanceEnd.Kind.ABORTED, "enough"));
    assertThat(joined.get(1).ended(1)).isPresent();
    assertThat(joined.get(1).ended(0)).isEmpty();
  }

  @Test
  void closingWaitsForRanksThatMayStillLaunch() {
    List<ProcessMesh> joined = join(3);
    long start = System.nanoTime();
    joined.get(0).meet(0, Duration.ofMillis(50));
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(50_000_000);
    all(
        joined,
        mesh -> {
          mesh.meet(0, LONG);
          return mesh;
        });
  }

  /** Any number of ranks end at once, for any reason, and all others agree on one. */
  @Test
  void allSurvivorsAgree() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 60; round++) {
      int world = 3 + random.nextInt(4);
      List<ProcessMesh> joined = join(world);
      Set<Integer> dying = new HashSet<>();
      Set<Integer> aborting = new HashSet<>();
      dying.add(random.nextInt(world));
      if (random.nextBoolean()) {
        dying.add((dying.iterator().next() + 1) % world);
      }
      aborting.add(random.nextInt(world));
      List<Integer> numbers = IntStream.range(0, world).boxed().toList();
      List<InstanceEnd> ends =
          all(
              numbers,
              rank -> {
                ProcessMesh mesh = joined.get(rank);
                if (dying.contains(rank)) {
                  mesh.close();
                  return new InstanceEnd(rank, InstanceEnd.Kind.LOST, "");
                }
                InstanceEnd mine =
                    aborting.contains(rank)
                        ? new InstanceEnd(
                            rank, InstanceEnd.Kind.ABORTED, "rank " + rank + " had enough")
                        : eventually(mesh);
                return mesh.settle(0, mine);
              });
      Set<InstanceEnd> reported = new HashSet<>();
      numbers.stream().filter(r -> !dying.contains(r)).forEach(r -> reported.add(ends.get(r)));
      assertThat(reported).as("round %d", round).hasSize(1);
      joined.forEach(ProcessMesh::close);
    }
  }
}
