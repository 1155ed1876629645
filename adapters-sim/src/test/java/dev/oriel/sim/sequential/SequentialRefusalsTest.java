package dev.oriel.sim.sequential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.RankThreads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** This machine rejects unsupported programs before they run. */
class SequentialRefusalsTest {

  private static void refused(String text, String... facts) {
    Program program = Program.bind(FormParser.parse(text), 2, Map.of());
    try (Executor executor = SequentialMachine.executor(FabricListener.NONE, System::nanoTime)) {
      assertThatExceptionOfType(MachineException.class)
          .isThrownBy(() -> executor.prepare(program, Topology.parse("1x2")))
          .withMessageContainingAll(facts);
    }
  }

  @Test
  void buffersLargerThanAnArrayAreRejectedByPrepare() {
    refused(
        """
        form large
        output out[8589934592]
        lane main: sm(32) {
          sync
        }
        """,
        "name=out",
        "length=8589934592");
  }

  @Test
  void ranksThatJoinThroughDifferentFactoriesAreRejected() {
    List<Bootstrap> group = InProcessBootstrap.group(2, Duration.ofSeconds(20));
    List<MachineException> failures =
        RankThreads.failures(
            MachineException.class,
            group,
            ranks -> SequentialMachine.communicators(System::nanoTime).join(ranks));
    assertThat(failures).allSatisfy(f -> assertThat(f).hasMessageContaining("one factory"));
    group.forEach(Bootstrap::close);
  }
}
