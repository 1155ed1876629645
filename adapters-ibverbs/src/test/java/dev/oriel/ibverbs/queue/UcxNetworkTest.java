package dev.oriel.ibverbs.queue;

import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.ibverbs.ucx.UcxPresence;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.QueueNetworkContract;
import dev.oriel.ports.queue.DirectMemory;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RemoteNetwork;
import dev.oriel.ports.queue.SharedQueueMemory;
import dev.oriel.ports.queue.WorkQueue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ranks over UCX, all of them in this process and driven by one thread. */
abstract class UcxNetworkTest extends QueueNetworkContract {
  @BeforeAll
  static void present() {
    UcxPresence.assume();
  }

  abstract RemoteNetwork remote(int slots);

  @Override
  protected QueueNetwork network(int slots) {
    return new InOneProcess(remote(slots));
  }

  /** The connection is then closed by each of the two that made it. */
  @Test
  void noMemoryForQueuesIsRefusedAndClosesAll() {
    InitiatorMemory none =
        bytes -> {
          throw new MachineException("no pinned memory: bytes=%d; free some".formatted(bytes));
        };
    ByteBuffer bytes = ByteBuffer.allocateDirect(64);
    List<ReachedMemory> ranks =
        List.of(new DirectMemory(4096, bytes), new DirectMemory(8192, bytes));
    assertThatException()
        .isThrownBy(() -> network(8).connect(ranks, (rank, peer) -> !rank.equals(peer), none))
        .withStackTraceContaining("no pinned memory");
  }

  @Test
  void tooFewRequestsUnderWayAreRefused() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> UcxNetwork.copying(8, 3))
        .withMessageContaining("depth=3, min=4");
  }

  private record InOneProcess(RemoteNetwork network) implements QueueNetwork {
    @Override
    public QueueFormat format() {
      return network.format();
    }

    @Override
    public Connection connect(
        List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters) {
      List<Bootstrap> group =
          new ArrayList<>(InProcessBootstrap.group(ranks.size(), Duration.ofSeconds(40)));
      InitiatorMemory oneAtATime = new OneAtATime(posters, new ReentrantLock());
      return new Connected(
          onEach(
              ranks.size(),
              rank -> network.connect("connect", group.get(rank), ranks.get(rank), oneAtATime)));
    }
  }

  private record OneAtATime(InitiatorMemory posters, ReentrantLock lock)
      implements InitiatorMemory {
    @Override
    public SharedQueueMemory allocate(int bytes) {
      lock.lock();
      try {
        return posters.allocate(bytes);
      } finally {
        lock.unlock();
      }
    }
  }

  private static <T> List<T> onEach(int ranks, IntFunction<T> action) {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<CompletableFuture<T>> all =
          IntStream.range(0, ranks)
              .mapToObj(rank -> CompletableFuture.supplyAsync(() -> action.apply(rank), threads))
              .toList();
      return all.stream().map(CompletableFuture::join).toList();
    }
  }

  private record Connected(List<QueueNetwork.Connection> ranks) implements QueueNetwork.Connection {
    @Override
    public WorkQueue queue(int rank, int peer) {
      return ranks.get(rank).queue(rank, peer);
    }

    @Override
    public WorkQueue companion(int rank, int peer) {
      return ranks.get(rank).companion(rank, peer);
    }

    @Override
    public boolean progress() {
      boolean any = false;
      for (QueueNetwork.Connection rank : ranks) {
        any |= rank.progress();
      }
      return any;
    }

    @Override
    public Optional<String> failure() {
      return ranks.stream()
          .map(QueueNetwork.Connection::failure)
          .flatMap(Optional::stream)
          .findFirst();
    }

    /** Ranks leave together. */
    @Override
    public void close() {
      List<Boolean> _ =
          onEach(
              ranks.size(),
              rank -> {
                ranks.get(rank).close();
                return true;
              });
    }
  }
}
