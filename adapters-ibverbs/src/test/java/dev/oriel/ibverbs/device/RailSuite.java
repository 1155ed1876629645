package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.run.ProcessGroup;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.DeviceList;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.Prepared;
import dev.oriel.ports.contract.Promise;
import dev.oriel.ports.contract.ShippedPrograms;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks with two devices each. */
final class RailSuite {
  private static final String SECOND = "rxe1";
  private static final Duration LONG = Duration.ofSeconds(60);

  @BeforeAll
  static void makeTheSecondDevice() throws Exception {
    Guest.required();
    Guest.run("/usr/bin/ip", "link", "add", "eth1", "type", "dummy");
    Guest.run("/usr/bin/ip", "link", "set", "eth1", "mtu", "4200", "up");
    Guest.run("/usr/bin/ip", "addr", "add", "10.2.0.1/24", "dev", "eth1");
    Guest.run("/usr/bin/rdma", "link", "add", SECOND, "type", "rxe", "netdev", "eth1");
    Guest.run("/bin/sh", "-c", "chmod 666 /dev/infiniband/uverbs*");
    try (DeviceContext context = DeviceList.load().open(SECOND)) {
      long end = System.nanoTime() + LONG.toNanos();
      while (context.gids(1).stream().noneMatch(g -> g.ipv4())) {
        assertThat(System.nanoTime()).as("the port has an address").isLessThan(end);
        Thread.sleep(100);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"ll_all_gather, 2", "ll_all_to_all, 4", "push_all_gather, 4", "ll_all_reduce, 2"})
  void lanesOfBothDevicesSatisfyTheirPostConditions(String name, int world) {
    Form form = ShippedPrograms.form(name);
    Program program = Program.bind(form, world, ShippedPrograms.params(form, 9000, 1));
    VerbsSettings both =
        VerbsSettings.USUAL.on(System.getProperty("oriel.device", "") + "," + SECOND);
    SplittableRandom random = new SplittableRandom(world);
    try (Executor executor =
            VerbsExecutor.open(ProcessGroup.ALONE, both, FabricListener.NONE, System::nanoTime);
        Prepared ranks = new Prepared(List.of(executor), program, Topology.grid(world, 1))) {
      for (int launch = 1; launch <= 3; launch++) {
        Promise promise = Promise.make(ranks, random);
        assertThat(ranks.launch(LONG).values()).hasSize(world).containsOnly(new Outcome.Done());
        promise.check(name + ", launch=" + launch);
      }
    }
  }
}
