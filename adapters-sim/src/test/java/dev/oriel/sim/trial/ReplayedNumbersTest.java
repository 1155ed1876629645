package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.GraphReplay;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.sim.sequential.SequentialMachine;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers that lanes get are those that a host with that graph passes. */
class ReplayedNumbersTest {
  private static final int LAUNCHES = 60;

  private static final Form NUMBERS =
      FormParser.parse(
          """
          form numbers
          output out[8]
          lane main: sm(32) {
            store out[0] <- epoch
          }
          """);

  /** A host: it counts what it launches or captures, and knows only the numbers that it passed. */
  private static final class Host {
    private final List<Long> graph = new ArrayList<>();
    private final int launches;
    private long counted;
    private int at;

    Host(int launches) {
      this.launches = launches;
    }

    long next(boolean replay) {
      if (!replay && at == 0) {
        return ++counted;
      }
      while (graph.size() < launches) {
        graph.add(++counted);
      }
      long passed = graph.get(at);
      at = (at + 1) % launches;
      return passed;
    }
  }

  @ParameterizedTest
  @CsvSource({"1, false", "3, false", "1, true", "2, true", "5, true"})
  void lanesGetTheNumbersOfTheHost(int launches, boolean eager) {
    SplittableRandom random = new SplittableRandom(launches);
    Form form = new GraphReplay(launches, eager).of(NUMBERS);
    Host host = new Host(launches);
    try (Executor executor = SequentialMachine.executor(FabricListener.NONE, System::nanoTime);
        Executor.Instance instance =
            executor.prepare(Program.bind(form, 1, Map.of()), Topology.grid(1, 1))) {
      for (int launch = 1; launch <= LAUNCHES; launch++) {
        boolean replay = !eager || random.nextInt(3) == 0;
        if (eager) {
          instance.write(
              0,
              GraphReplay.REPLAYED,
              0,
              new byte[] {(byte) (replay ? 1 : 0), 0, 0, 0, 0, 0, 0, 0});
        }
        assertThat(instance.launch(Duration.ofSeconds(20)))
            .allMatch(Outcome.Done.class::isInstance);
        assertThat(
                ByteBuffer.wrap(instance.read(0, "out", 0, Long.BYTES))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getLong())
            .as("launch=%d", launch)
            .isEqualTo(host.next(replay));
      }
    }
  }
}
