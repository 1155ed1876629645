package dev.oriel.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.NetworkPath;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.queue.ProxyNetwork;
import dev.oriel.ibverbs.queue.QueueCarrier;
import dev.oriel.ibverbs.queue.SoftNetwork;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.ports.queue.ElementTemplate;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.WorkQueue;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The behaviour of GPUs on a faulty network; runs if there is a GPU. */
@ExtendWith(OpenGpus.class)
final class PostingFaultsTest {
  private static final Duration DEADLINE = Duration.ofMillis(300);
  private static final Topology WORLD = Topology.parse("2x2");

  /** A network with a fault. */
  private abstract static class Faulty implements QueueNetwork {
    private final QueueNetwork sound;

    Faulty(boolean proxy) {
      sound =
          proxy ? new ProxyNetwork(new QueueCarrier(SoftNetwork.usual()), 8) : SoftNetwork.usual();
    }

    @Override
    public QueueFormat format() {
      return sound.format();
    }

    WorkQueue queue(WorkQueue queue) {
      return queue;
    }

    boolean answers() {
      return true;
    }

    @Override
    public Connection connect(
        List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters) {
      Connection connection = sound.connect(ranks, pairs, posters);
      return new Connection() {
        @Override
        public WorkQueue queue(int rank, int peer) {
          return Faulty.this.queue(connection.queue(rank, peer));
        }

        @Override
        public WorkQueue companion(int rank, int peer) {
          return connection.companion(rank, peer);
        }

        @Override
        public boolean progress() {
          return answers() && connection.progress();
        }

        @Override
        public Optional<String> failure() {
          return connection.failure();
        }

        @Override
        public void close() {
          connection.close();
        }
      };
    }
  }

  private static void launches(QueueNetwork network, Class<? extends Outcome> first, String says) {
    Program program =
        Program.bind(ShippedPrograms.form("push_all_gather"), WORLD.world(), Map.of("B", 1000L));
    NetworkPath outside = new NetworkPath(network, false);
    try (Executor executor =
            CudaExecutor.open(Optional.of(outside), FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(program, WORLD)) {
      long start = System.nanoTime();
      List<Outcome> outcomes = instance.launch(DEADLINE);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
      assertThat(outcomes).as("%s", outcomes).hasOnlyElementsOfType(first);
      assertThat(outcomes).allSatisfy(o -> assertThat(o.toString()).contains(says));
      assertThat(instance.launch(DEADLINE)).hasOnlyElementsOfType(Outcome.Aborted.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNetworkThatStopsAnsweringIsATimeout(boolean proxy) {
    // One element needs four: the first can be placed, and none after it.
    long[] left = {3};
    launches(
        new Faulty(proxy) {
          @Override
          boolean answers() {
            return left[0]-- > 0;
          }
        },
        Outcome.TimedOut.class,
        "gave up waiting");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void invalidElementsEndTheLaunchWithTheReason(boolean proxy) {
    launches(
        new Faulty(proxy) {
          @Override
          WorkQueue queue(WorkQueue queue) {
            byte[] garbage = new byte[format().elementBytes()];
            Arrays.fill(garbage, (byte) 0xa7);
            Map<WorkQueue.Shape, ElementTemplate> images = new HashMap<>(queue.images());
            images.replaceAll((_, _) -> new ElementTemplate(garbage));
            return new WorkQueue(
                queue.slots(), queue.ring(), images, queue.bells(), queue.completion());
          }
        },
        Outcome.Aborted.class,
        proxy ? "no element of that count" : "refused");
  }
}
