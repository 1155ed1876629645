package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.queue.ProxyNetwork;
import dev.oriel.ibverbs.queue.VerbsCarrier;
import dev.oriel.ibverbs.run.ProxiedExecutorContract;
import dev.oriel.ibverbs.verbs.DeviceList;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.Prepared;
import dev.oriel.ports.contract.Promise;
import dev.oriel.ports.contract.QueueNetworkContract;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.ports.queue.QueueNetwork;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A proxy whose thread posts requests of others to a real device; the others are threads that write
 * the bytes that a GPU would.
 */
final class ProxySuite {
  private static final VerbsSettings DEVICE =
      VerbsSettings.USUAL.on(System.getProperty("oriel.device", ""));

  @Nested
  final class Queues extends QueueNetworkContract {
    @Override
    protected QueueNetwork network(int slots) {
      return new ProxyNetwork(VerbsCarrier.of(DEVICE), slots);
    }

    /** On an emulated processor, one takes a millisecond. */
    @Override
    protected int many() {
      return 300;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ll_all_gather, 2",
    "ll_all_gather, 4",
    "ring_all_gather, 4",
    "ll_all_to_all, 4",
    "ll_all_reduce, 4",
    "tree_all_reduce, 4",
    "ring_send_recv, 2",
    "direct_reduce_scatter, 4",
    "binomial_broadcast, 4"
  })
  void collectivesSatisfyTheirPostConditions(String name, int world) {
    Form form = ShippedPrograms.form(name);
    Program program = Program.bind(form, world, ShippedPrograms.params(form, 1004, 1));
    SplittableRandom random = new SplittableRandom(world);
    try (Executor executor =
            ProxiedExecutorContract.over(
                () -> DeviceList.load().open(DEVICE.devices()), FabricListener.NONE);
        Prepared ranks = new Prepared(List.of(executor), program, Topology.grid(world, 1))) {
      for (int launch = 1; launch <= 3; launch++) {
        Promise promise = Promise.make(ranks, random);
        assertThat(ranks.launch(Duration.ofSeconds(60)).values())
            .hasSize(world)
            .containsOnly(new Outcome.Done());
        promise.check(name + ", launch=" + launch);
      }
    }
  }
}
