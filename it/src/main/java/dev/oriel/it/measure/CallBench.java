package dev.oriel.it.measure;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.persistent.GpuCalls;
import dev.oriel.cuda.persistent.GpuGraph;
import dev.oriel.cuda.persistent.GpuStream;
import dev.oriel.cuda.window.GpuCommunicators;
import dev.oriel.cuda.window.GpuWindow;
import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.PersistentCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/** Times one kind of persistent call of one size, every rank on a thread of its own. */
final class CallBench {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final int world;
  private final ExchangePattern exchange;
  private final int bytes;
  private final int calls;
  private final int replays;

  CallBench(int world, ExchangePattern exchange, int bytes, int calls, int replays) {
    this.world = world;
    this.exchange = exchange;
    this.bytes = bytes;
    this.calls = calls;
    this.replays = replays;
  }

  /**
   * The measurements, in microseconds a call.
   *
   * @param replayed of each replay of a graph of calls, on the slowest GPU
   * @param eager of each call for which the host waits, on rank 0
   * @param preparations allocations, mappings and loads in the meantime
   */
  record Times(List<Double> replayed, List<Double> eager, long preparations) {}

  /** One rank's readings. */
  private record Mine(List<Double> replayed, List<Double> eager, long preparations) {}

  Times measure() throws InterruptedException {
    List<Bootstrap> group = InProcessBootstrap.group(world, TIMEOUT);
    try (ExecutorService threads = Executors.newFixedThreadPool(world)) {
      List<Future<Mine>> ranks = new ArrayList<>();
      for (Bootstrap rank : group) {
        ranks.add(threads.submit(() -> rank(rank)));
      }
      List<Mine> all = new ArrayList<>();
      for (Future<Mine> rank : ranks) {
        all.add(rank.get());
      }
      List<Double> slowest = new ArrayList<>(all.getFirst().replayed());
      for (Mine mine : all) {
        for (int i = 0; i < slowest.size(); i++) {
          slowest.set(i, Math.max(slowest.get(i), mine.replayed().get(i)));
        }
      }
      return new Times(
          slowest, all.getFirst().eager(), all.stream().mapToLong(Mine::preparations).sum());
    } catch (ExecutionException e) {
      throw new MachineException("a rank failed: reason=" + e.getCause(), e);
    } finally {
      group.forEach(Bootstrap::close);
    }
  }

  private Mine rank(Bootstrap bootstrap) throws TimeoutException {
    long out = (long) world * bytes;
    long source = exchange.source(world, bytes);
    CallSpec spec = new CallSpec(aligned(out) + aligned(source), 0, 1, 0);
    WindowSpec shape =
        WindowSpec.named("bench")
            .withData(DataSizes.uniform(spec.control() + spec.controlBytes(world)))
            .withSignals(spec.signalCount())
            .withBarriers(2);
    try (Communicator communicator = GpuCommunicators.byRank(System::nanoTime).join(bootstrap);
        GpuWindow window = GpuWindow.of(communicator.window(shape));
        PersistentCalls persistent =
            PersistentCalls.over(
                window, spec, GpuCalls.over(window, spec, System::nanoTime), TIMEOUT);
        GpuStream stream = GpuStream.on(window.gpu(), 1)) {
      WindowRegion range = new WindowRegion("bench", 0, out);
      long from = aligned(out);
      window.write(from, bytes(window.rank(), (int) source));
      persistent.call(exchange, stream, range, window, from, bytes, TIMEOUT);
      stream.capture();
      for (int i = 0; i < calls; i++) {
        persistent.call(exchange, stream, range, window, from, bytes, TIMEOUT);
      }
      List<Double> replayed = new ArrayList<>();
      List<Double> eager = new ArrayList<>();
      long prepared;
      try (GpuGraph graph = stream.captured()) {
        graph.replay(TIMEOUT);
        window.barrier(1, TIMEOUT);
        prepared = window.gpu().preparations();
        for (int i = 0; i < replays; i++) {
          window.barrier(1, TIMEOUT);
          graph.replay(TIMEOUT);
          replayed.add(graph.elapsed().toNanos() / 1e3 / calls);
        }
        for (int i = 0; i < replays; i++) {
          window.barrier(1, TIMEOUT);
          long start = System.nanoTime();
          persistent.call(exchange, stream, range, window, from, bytes, TIMEOUT);
          eager.add((System.nanoTime() - start) / 1e3);
        }
        window.barrier(1, TIMEOUT);
        prepared = window.gpu().preparations() - prepared;
      }
      check(window);
      return new Mine(replayed, eager, prepared);
    }
  }

  private void check(GpuWindow window) {
    int share = (int) exchange.share(window.rank(), bytes);
    for (int rank = 0; rank < world; rank++) {
      byte[] all = bytes(rank, (int) exchange.source(world, bytes));
      byte[] wanted = Arrays.copyOfRange(all, share, share + bytes);
      if (!Arrays.equals(window.read((long) rank * bytes, bytes), wanted)) {
        throw new MachineException(
            "wrong bytes: rank=%d, of=%d, call=%s, bytes=%d; report it"
                .formatted(window.rank(), rank, exchange.spelling(), bytes));
      }
    }
  }

  private static byte[] bytes(int rank, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(rank).nextBytes(bytes);
    return bytes;
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, 256) * 256;
  }
}
