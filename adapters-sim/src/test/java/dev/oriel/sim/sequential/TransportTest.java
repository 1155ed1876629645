package dev.oriel.sim.sequential;

import static dev.oriel.domain.window.Comparison.EQ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.connection.ConnectionOrder;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.RankThreads;
import dev.oriel.ports.setup.MachineBuffer;
import dev.oriel.ports.setup.RdmaPeers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The layer below windows over RDMA: interfaces, registrations and connections. */
class TransportTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final WindowSpec SPEC =
      WindowSpec.named("w")
          .withData(DataSizes.uniform(64))
          .withSignals(4)
          .withCounters(1)
          .withBarriers(4);

  private static <T> List<T> world(
      int world, int interfaces, RankThreads.Task<SequentialCommunicator, T> task) {
    Topology topology = Topology.grid(world, 1);
    SequentialCommunicators factory =
        new SequentialCommunicators(
            new SequentialWire(),
            System::nanoTime,
            (wire, rank, n) ->
                new SequentialFabric(wire, topology.facts(rank), 1 << 20, interfaces));
    List<Bootstrap> group = InProcessBootstrap.group(world, LONG);
    try {
      return RankThreads.all(
          group,
          ranks -> {
            try (SequentialCommunicator c = (SequentialCommunicator) factory.join(ranks)) {
              return task.run(c);
            }
          });
    } finally {
      group.forEach(Bootstrap::close);
    }
  }

  /** Data and slots of a window are one allocation: one registration on each interface. */
  @Test
  void aWindowIsRegisteredOnceOnEachInterface() {
    world(
        3,
        2,
        c -> {
          SequentialInterfaces nics = c.fabric().nics();
          assertThat(nics.open()).isZero();
          Window first = c.window(SPEC);
          assertThat(nics.open()).isEqualTo(2);
          LocalBuffer buffer = c.buffer(32);
          assertThat(nics.open()).isEqualTo(4);
          Window second = c.window(WindowSpec.named("x").withData(DataSizes.uniform(8)));
          assertThat(nics.open()).isEqualTo(6);
          first.close();
          buffer.close();
          assertThat(nics.open()).isEqualTo(2);
          second.close();
          assertThat(nics.open()).isZero();
          assertThat(nics.registrations()).isEqualTo(6);
          return c;
        });
  }

  @Test
  void eachLaneHasAnInterface() {
    List<List<Long>> transfers =
        world(
            2,
            2,
            c -> {
              int peer = 1 - c.rank();
              try (Window shared = c.window(SPEC)) {
                c.lanes(
                    3,
                    Thread::startVirtualThread,
                    lane -> {
                      Window window = lane.window(shared);
                      for (int i = 0; i <= 2 * lane.number(); i++) {
                        window.put(peer, 16L * lane.number(), 48, 16);
                      }
                      window.signal(peer, lane.number(), 1);
                      window.await(peer, lane.number(), EQ, 1, LONG);
                    });
              }
              return c.fabric().nics().transfers();
            });
    // Lane 0 puts once, lane 1 three times, lane 2 five times; lanes 0 and 2 share the first.
    assertThat(transfers).containsOnly(List.of(6L, 3L));
  }

  @Test
  void unregisteredMemoryIsNotTransferred() {
    world(
        2,
        2,
        c -> {
          int peer = 1 - c.rank();
          Window window = c.window(SPEC);
          LocalBuffer buffer = c.buffer(32);
          window.put(peer, 0, buffer, 0, 32);
          // The memory exists, but the interfaces have lost the right to access it.
          memory(buffer).registered().giveBack();
          assertThatIllegalArgumentException()
              .isThrownBy(() -> window.put(peer, 0, buffer, 0, 32))
              .withMessageContainingAll("stale lease", "generation=");
          assertThatIllegalArgumentException()
              .isThrownBy(() -> window.get(peer, 0, buffer, 0, 32))
              .withMessageContaining("stale lease");
          window.barrier(0, LONG);
          window.close();
          buffer.close();
          return c.rank();
        });
  }

  private static SequentialMemory memory(LocalBuffer buffer) {
    return (SequentialMemory) ((MachineBuffer<?>) buffer).memory();
  }

  @Test
  void keysOfReregisteredMemoryAreStale() {
    SequentialWire wire = new SequentialWire();
    Topology far = Topology.grid(2, 1);
    SequentialFabric mine = new SequentialFabric(wire, far.facts(0), 1 << 20, 2);
    SequentialFabric theirs = new SequentialFabric(wire, far.facts(1), 1 << 20, 2);
    mine.connect(1, theirs.offer(0));
    SequentialMemory here = mine.allocate(16);
    SequentialMemory there = theirs.allocate(16);
    SequentialRemote remote = mine.open(1, there.export());
    remote.put(1, 0, here, 0, 16);
    there.registered().giveBack();
    for (int lane = 0; lane < 2; lane++) {
      int through = lane;
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(() -> remote.put(through, 0, here, 0, 16))
          .withMessageContainingAll("memory not registered", "interface=" + lane, "key=");
    }
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> remote.wordRelease(0, 8, 1))
        .withMessageContaining("memory not registered");
  }

  @Test
  void ranksConnectWhenTheFirstWindowNeedsIt() {
    int world = 6;
    List<Set<Integer>> ring =
        IntStream.range(0, world)
            .mapToObj(r -> Set.of((r + 1) % world, (r + world - 1) % world))
            .toList();
    List<Long> rounds =
        world(
            world,
            1,
            c -> {
              int rank = c.rank();
              assertThat(c.connections().peers()).isEmpty();
              Team neighbours = Team.of((rank + 1) % world, (rank + world - 1) % world);
              c.window(SPEC, neighbours).close();
              assertThat(c.connections().peers()).isEqualTo(ring.get(rank));
              final long first = c.connections().rounds();
              c.window(SPEC, neighbours).close();
              assertThat(c.connections().rounds()).as("nobody connects again").isEqualTo(first);
              c.window(SPEC).close();
              assertThat(c.connections().peers()).hasSize(world - 1);
              assertThat(c.connections().rounds()).isGreaterThan(first);
              return first;
            });
    long counted = ConnectionOrder.of(ring).rounds();
    assertThat(rounds.stream().mapToLong(r -> r).max()).hasValue(counted);
    assertThat(counted).isLessThanOrEqualTo(3);
  }

  /** Rounds do not grow with the ring: as many ranks connect at a time as there are threads. */
  @Test
  void aLargeRingConnectsInTwoRounds() {
    int world = 512;
    Topology topology = Topology.grid(world, 1);
    SequentialWire wire = new SequentialWire();
    List<SequentialFabric> fabrics =
        IntStream.range(0, world)
            .mapToObj(r -> new SequentialFabric(wire, topology.facts(r), 0))
            .toList();
    List<byte[]> offers = fabrics.stream().map(f -> f.offer(0)).toList();
    List<Set<Integer>> ring =
        IntStream.range(0, world)
            .mapToObj(r -> Set.of((r + 1) % world, (r + world - 1) % world))
            .toList();
    List<Long> rounds =
        RankThreads.all(
            IntStream.range(0, world).boxed().toList(),
            rank -> {
              RankConnections connections =
                  new RankConnections(
                      fabrics.get(rank), rank, offers, () -> Deadline.in(LONG, System::nanoTime));
              connections.connect(new RdmaPeers("w", topology, rank, ring));
              return connections.rounds();
            });
    assertThat(rounds).allMatch(r -> r <= 2).contains(2L);
    assertThat(ConnectionOrder.of(ring).rounds()).isEqualTo(2);
  }
}
