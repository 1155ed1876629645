package dev.oriel.ibverbs.queue;

import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.SharedQueueMemory;
import dev.oriel.ports.queue.WorkQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Executes requests by posting them to the queues of another network. */
public final class QueueCarrier implements RequestCarrier {
  private final QueueNetwork network;

  public QueueCarrier(QueueNetwork network) {
    this.network = network;
  }

  @Override
  public long messageBytes() {
    return network.format().messageBytes();
  }

  @Override
  public CarrierConnection connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters) {
    List<SharedQueueMemory> memories = new ArrayList<>();
    QueueNetwork.Connection connection =
        network.connect(
            ranks,
            pairs,
            bytes -> {
              memories.add(posters.allocate(bytes));
              return memories.getLast();
            });
    return new Posted(network.format(), connection, memories);
  }

  private static final class Posted implements CarrierConnection {
    private final QueueFormat format;
    private final QueueNetwork.Connection connection;
    private final List<SharedQueueMemory> memories;
    private final Map<WorkQueue, HostInitiator> posters = new HashMap<>();

    Posted(
        QueueFormat format, QueueNetwork.Connection connection, List<SharedQueueMemory> memories) {
      this.format = format;
      this.connection = connection;
      this.memories = memories;
    }

    @Override
    public OnwardQueue onward(int rank, int peer) {
      WorkQueue queue = connection.queue(rank, peer);
      return Objects.requireNonNull(
          posters.computeIfAbsent(
              queue, q -> new HostInitiator(format, q, holding(memories, q.ring()))));
    }

    private static SharedQueueMemory holding(List<SharedQueueMemory> memories, long address) {
      return memories.stream()
          .filter(m -> address >= m.address() && address < m.address() + m.bytes().capacity())
          .findFirst()
          .orElseThrow();
    }

    @Override
    public boolean progress() {
      return connection.progress();
    }

    @Override
    public Optional<String> failure() {
      return connection.failure();
    }

    @Override
    public void close() {
      connection.close();
    }
  }
}
