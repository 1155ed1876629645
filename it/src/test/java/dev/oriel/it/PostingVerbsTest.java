package dev.oriel.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.NetworkPath;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.queue.ProxyNetwork;
import dev.oriel.ibverbs.queue.SoftNetwork;
import dev.oriel.ibverbs.queue.VerbsCarrier;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.Prepared;
import dev.oriel.ports.contract.Promise;
import dev.oriel.ports.contract.ShippedPrograms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * GPUs write words, and a host thread posts for them as for any RDMA device: through the library's
 * own calls and pointers, with a fake device below them. Runs if there is a GPU.
 */
@ExtendWith(OpenGpus.class)
final class PostingVerbsTest {
  private static final int LAUNCHES = 200;
  private static final Duration LONG = Duration.ofSeconds(30);

  private static Executor executor(FakeVerbs verbs) {
    VerbsCarrier carrier = new VerbsCarrier(() -> List.of(verbs.open()), VerbsSettings.USUAL);
    NetworkPath outside = new NetworkPath(new ProxyNetwork(carrier, SoftNetwork.USUAL_SLOTS), true);
    return CudaExecutor.open(Optional.of(outside), FabricListener.NONE, System::nanoTime);
  }

  private static void delivers(Program program, Topology topology) {
    FakeVerbs verbs = new FakeVerbs();
    SplittableRandom random = new SplittableRandom(1);
    try (Executor executor = executor(verbs);
        Prepared ranks = new Prepared(List.of(executor), program, topology)) {
      for (int launch = 1; launch <= LAUNCHES; launch++) {
        Promise promise = Promise.make(ranks, random);
        assertThat(ranks.launch(LONG).values()).containsOnly(new Outcome.Done());
        promise.check("launch=" + launch);
      }
    }
    assertThat(verbs.live()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "push_all_gather, 2x1",
    "push_all_gather, 2x2",
    "push_all_gather, 4x1",
    "push_all_to_all, 2x2",
    "ring_all_reduce, 2x2",
    "ring_send_recv, 2x1"
  })
  void requestsOfGpusAreDelivered(String name, String world) {
    Topology topology = Topology.parse(world);
    Form form = ShippedPrograms.form(name);
    delivers(Program.bind(form, topology.world(), ShippedPrograms.params(form, 1004, 1)), topology);
  }

  @ParameterizedTest
  @CsvSource({"2x1", "2x2"})
  void sourceIsReusedOnceItsPutIsCounted(String world) {
    Topology topology = Topology.parse(world);
    delivers(CountedGatherTest.program(topology, 1000), topology);
  }

  @Test
  void aCutLinkEndsTheLaunchWithTheDevicesReason() {
    FakeVerbs verbs = new FakeVerbs();
    Topology topology = Topology.parse("2x2");
    Program program =
        Program.bind(ShippedPrograms.form("push_all_gather"), topology.world(), Map.of("B", 1000L));
    try (Executor executor = executor(verbs);
        Executor.Instance instance = executor.prepare(program, topology)) {
      assertThat(instance.launch(LONG)).containsOnly(new Outcome.Done());
      verbs.cut();
      assertThat(instance.launch(LONG))
          .hasOnlyElementsOfType(Outcome.Aborted.class)
          .allSatisfy(o -> assertThat(o.toString()).contains("RETRIES"));
    }
    assertThat(verbs.live()).isEmpty();
  }
}
