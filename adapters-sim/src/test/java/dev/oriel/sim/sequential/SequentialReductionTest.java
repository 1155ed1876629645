package dev.oriel.sim.sequential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SequentialReductionTest {

  @Test
  void aReducingMoveAddsItsSourcesInTextOrder() {
    Program program =
        Program.bind(
            FormParser.parse(
                """
                form sums
                input in[40]
                output out[40]
                signal READY[1]
                lane main: sm(32) {
                  signal READY[0]@peers set epoch release
                  await READY[0]@peers reached epoch acquire
                  move out[0] <- sum fp32 in fp64 (in@((r + 1) % n)[0], in@((r + 2) % n)[0], in[0]) bytes 40
                }
                """),
            3,
            Map.of());
    float[][] inputs = new float[3][10];
    Random random = new Random(5);
    try (Executor executor = new SequentialExecutor(FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(program, Topology.parse("1x3"))) {
      for (int rank = 0; rank < 3; rank++) {
        ByteBuffer bytes = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 10; i++) {
          inputs[rank][i] = random.nextFloat() * 1e6f;
          bytes.putFloat(inputs[rank][i]);
        }
        instance.write(rank, "in", 0, bytes.array());
      }
      assertThat(instance.launch(Duration.ofSeconds(10)))
          .allMatch(outcome -> outcome instanceof Outcome.Done);
      for (int rank = 0; rank < 3; rank++) {
        ByteBuffer bytes =
            ByteBuffer.wrap(instance.read(rank, "out", 0, 40)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 10; i++) {
          double sum = inputs[(rank + 1) % 3][i];
          sum += inputs[(rank + 2) % 3][i];
          sum += inputs[rank][i];
          assertThat(bytes.getFloat()).isEqualTo((float) sum);
        }
      }
    }
  }
}
