package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.MappedPages;
import dev.oriel.cuda.driver.PinnedHostMemory;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.ptx.QueueTable;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.SharedQueueMemory;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The queues of all ranks to their network peers, and the tables that their kernels read. */
final class RankQueues implements AutoCloseable {
  /** Queues are made of pieces that start at a multiple of this. */
  private static final int PAGE = 4096;

  private final Gpu first;
  private final MappedPages pages;
  private final int world;
  private final Topology topology;
  private final ResourceStack owned = new ResourceStack();
  private final QueueNetwork.Connection connection;
  private final SortedMap<Integer, Long> tables = new TreeMap<>();

  /** Connects every pair of ranks that is not on NVLink. */
  RankQueues(
      OutsideNetwork network,
      String step,
      SortedMap<Integer, Gpu> gpus,
      List<RankMemory> memories,
      Topology topology) {
    this.first = gpus.sequencedValues().getFirst();
    this.pages = owned.add(new MappedPages(first));
    this.world = memories.size();
    this.topology = topology;
    try {
      SortedMap<Integer, ReachedMemory> local = new TreeMap<>();
      gpus.forEach((rank, gpu) -> local.put(rank, memories.get(rank).reached(gpu)));
      connection = network.connect(step, local, this::remote, posters());
      owned.add(connection);
      // Added a second time, since pages must be unmapped before a connection frees them.
      owned.add(pages);
      gpus.forEach((rank, gpu) -> tables.put(rank, table(network.format(), rank, gpu)));
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  private boolean remote(int rank, int peer) {
    return topology.kind(rank, peer) == PeerKind.RDMA;
  }

  private InitiatorMemory posters() {
    return new InitiatorMemory() {
      @Override
      public SharedQueueMemory allocate(int bytes) {
        PinnedHostMemory memory =
            owned.add(new PinnedHostMemory(first, (long) Math.ceilDiv(bytes, PAGE) * PAGE));
        return new SharedQueueMemory(memory.bytes(), memory.address());
      }

      @Override
      public long reach(long address, long bytes) {
        return pages.memory(address, bytes);
      }

      @Override
      public long reachRegister(long address, long bytes) {
        return pages.register(address, bytes);
      }

      @Override
      public void forget() {
        pages.close();
      }
    };
  }

  private long table(QueueFormat format, int self, Gpu gpu) {
    int bytes = QueueTable.bytes(format);
    long table = gpu.allocate((long) world * bytes);
    owned.add(() -> gpu.free(table));
    for (int peer = 0; peer < world; peer++) {
      if (peer != self && remote(self, peer)) {
        byte[] records =
            QueueTable.records(
                format, connection.queue(self, peer), connection.companion(self, peer));
        gpu.write(table + (long) peer * bytes, records);
      }
    }
    return table;
  }

  /** The address of that rank's table of queues. */
  long table(int rank) {
    return Objects.requireNonNull(tables.get(rank));
  }

  /** One bit for each peer that the rank posts to. */
  long peers(int rank) {
    return IntStream.range(0, world)
        .filter(peer -> peer != rank && remote(rank, peer))
        .mapToLong(peer -> 1L << peer)
        .reduce(0, (a, b) -> a | b);
  }

  /** Takes some steps of the network; few enough that the next check of the GPUs is not late. */
  void progress() {
    for (int i = 0; i < 64; i++) {
      connection.progress();
    }
  }

  /**
   * Whether no rank of another process needs the {@link #progress} of this one any more for the
   * requests of that round.
   */
  boolean settled(long round) {
    return connection.settled(round);
  }

  /** Why a request failed, if one did. */
  Optional<String> failure() {
    return connection.failure();
  }

  @Override
  public void close() {
    owned.close();
  }
}
