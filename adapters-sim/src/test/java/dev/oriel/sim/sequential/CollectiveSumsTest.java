package dev.oriel.sim.sequential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.ShippedPrograms;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The results of the shipped reductions equal those of a loop over floats, bit by bit. */
class CollectiveSumsTest {
  private static final int RANKS = 3;
  private static final int ELEMENTS = 101;

  private final SplittableRandom random = new SplittableRandom(7);
  private final float[][] inputs = new float[RANKS][];

  private float[][] outputs(String name, int inputElements) {
    Program program = Program.bind(ShippedPrograms.form(name), RANKS, Map.of("B", 4L * ELEMENTS));
    float[][] outputs = new float[RANKS][ELEMENTS];
    try (Executor executor = new SequentialExecutor(FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(program, Topology.parse("1x3"))) {
      for (int rank = 0; rank < RANKS; rank++) {
        inputs[rank] = new float[inputElements];
        ByteBuffer bytes = ByteBuffer.allocate(4 * inputElements).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < inputElements; i++) {
          inputs[rank][i] = (float) (random.nextDouble() * Math.pow(10, random.nextInt(7)));
          bytes.putFloat(inputs[rank][i]);
        }
        instance.write(rank, "in", 0, bytes.array());
      }
      assertThat(instance.launch(Duration.ofSeconds(20)))
          .allMatch(outcome -> outcome instanceof Outcome.Done);
      for (int rank = 0; rank < RANKS; rank++) {
        ByteBuffer.wrap(instance.read(rank, "out", 0, 4 * ELEMENTS))
            .order(ByteOrder.LITTLE_ENDIAN)
            .asFloatBuffer()
            .get(outputs[rank]);
      }
    }
    return outputs;
  }

  /** The elements of all ranks at that place, added around the ring from one rank onwards. */
  private float sum(int at, int first) {
    float sum = inputs[first % RANKS][at];
    for (int k = 1; k < RANKS; k++) {
      sum += inputs[(first + k) % RANKS][at];
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ll_all_reduce", "two_shot_all_reduce"})
  void oneShotAndTwoShotsAddFromRankZeroOn(String name) {
    float[][] outputs = outputs(name, ELEMENTS);
    for (int rank = 0; rank < RANKS; rank++) {
      for (int i = 0; i < ELEMENTS; i++) {
        assertThat(outputs[rank][i]).isEqualTo(sum(i, 0));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct_reduce_scatter", "ring_reduce_scatter"})
  void aReduceScatterAddsEachBlock(String name) {
    float[][] outputs = outputs(name, RANKS * ELEMENTS);
    for (int rank = 0; rank < RANKS; rank++) {
      int first = name.startsWith("ring") ? rank + 1 : 0;
      for (int i = 0; i < ELEMENTS; i++) {
        assertThat(outputs[rank][i]).isEqualTo(sum(rank * ELEMENTS + i, first));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = "ring_all_reduce")
  void aRingAddsEachShareFromTheNextRankOn(String name) {
    float[][] outputs = outputs(name, ELEMENTS);
    int share = 4 * Math.ceilDiv(Math.ceilDiv(4 * ELEMENTS, 16), RANKS);
    int differs = 0;
    for (int rank = 0; rank < RANKS; rank++) {
      for (int i = 0; i < ELEMENTS; i++) {
        assertThat(outputs[rank][i]).isEqualTo(sum(i, i / share + 1));
        differs += outputs[rank][i] == sum(i, 0) ? 0 : 1;
      }
    }
    assertThat(differs).as("elements of which the order shows").isPositive();
  }
}
