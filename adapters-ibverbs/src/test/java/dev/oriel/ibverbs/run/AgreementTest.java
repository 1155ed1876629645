package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.PeerConnections;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.RankThreads;
import dev.oriel.ports.contract.ShippedPrograms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** If one rank fails at a step, by any exception, the step fails on all ranks with its reason. */
final class AgreementTest {
  private static final int WORLD = 2;

  private final FakeVerbs verbs = new FakeVerbs();

  private DeviceWiring wiring(int own) {
    DeviceWiring whole = DeviceWiring.over(List.of(verbs.open()), VerbsSettings.USUAL);
    return new DeviceWiring() {
      @Override
      public PeerConnections connections(int rank, int world) {
        if (own == 1) {
          throw new ArithmeticException("number too large");
        }
        return whole.connections(rank, world);
      }

      @Override
      public void close() {
        whole.close();
      }
    };
  }

  @Test
  void noRankWaitsForOneThatFailedUnexpectedly() {
    List<VerbsExecutor> executors = new ArrayList<>();
    for (Bootstrap ranks : InProcessBootstrap.group(WORLD, Duration.ofSeconds(40))) {
      executors.add(
          new VerbsExecutor(
              wiring(ranks.rank()),
              new JoinedProcesses(ranks),
              FabricListener.NONE,
              System::nanoTime));
    }
    Form form = ShippedPrograms.form("ring_all_gather");
    Program program = Program.bind(form, WORLD, ShippedPrograms.params(form, 64, 1));
    assertThat(
            RankThreads.failures(
                MachineException.class,
                executors,
                e -> e.prepare(program, Topology.grid(WORLD, 1))))
        .hasSize(WORLD)
        .allSatisfy(e -> assertThat(e).hasMessageContaining("number too large"));
    executors.forEach(VerbsExecutor::close);
    assertThat(verbs.live()).isEmpty();
  }
}
