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
import dev.oriel.ports.contract.Prepared;
import dev.oriel.ports.contract.Promise;
import dev.oriel.ports.queue.QueueNetwork;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Puts that GPUs count while they post them to software interfaces; runs if there is a GPU. */
@ExtendWith(OpenGpus.class)
final class PostingCountersTest {
  private static final int LAUNCHES = 200;

  @ParameterizedTest
  @CsvSource({
    "2x1, false, false",
    "2x2, false, false",
    "4x1, false, false",
    "2x2, true, false",
    "2x2, false, true"
  })
  void sourceIsReusedOnceItsPutIsCounted(String world, boolean proxy, boolean hosted) {
    Topology topology = Topology.parse(world);
    Program program = CountedGatherTest.program(topology, 1000);
    QueueNetwork soft = SoftNetwork.usual();
    NetworkPath outside =
        new NetworkPath(
            proxy ? new ProxyNetwork(new QueueCarrier(soft), SoftNetwork.USUAL_SLOTS) : soft,
            hosted);
    SplittableRandom random = new SplittableRandom(1);
    try (Executor executor =
            CudaExecutor.open(Optional.of(outside), FabricListener.NONE, System::nanoTime);
        Prepared ranks = new Prepared(List.of(executor), program, topology)) {
      for (int launch = 1; launch <= LAUNCHES; launch++) {
        Promise promise = Promise.make(ranks, random);
        assertThat(ranks.launch(Duration.ofSeconds(30)).values()).containsOnly(new Outcome.Done());
        promise.check("launch=" + launch);
      }
    }
  }
}
