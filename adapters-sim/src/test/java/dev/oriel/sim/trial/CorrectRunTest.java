package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.sim.sequential.SequentialMachine;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Correct programs end, and satisfy their post-conditions, on the sequential machine. */
class CorrectRunTest {
  private static final int LAUNCHES = 3;

  static List<CorrectPrograms.Correct> all() {
    return CorrectPrograms.all();
  }

  @ParameterizedTest
  @MethodSource("all")
  void endsAndSatisfiesItsPostCondition(CorrectPrograms.Correct correct) {
    correct.worlds().stream()
        .mapToInt(world -> Topology.parse(world).world())
        .distinct()
        .forEach(world -> run(Program.bind(correct.form(), world, correct.params()), world));
  }

  private static void run(Program program, int world) {
    SplittableRandom random = new SplittableRandom(world);
    try (Executor executor = SequentialMachine.executor(FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(program, Topology.grid(1, world))) {
      for (int launch = 1; launch <= LAUNCHES; launch++) {
        Map<String, byte[]> inputs = fill(program, instance, random);
        assertThat(instance.launch(Duration.ofSeconds(20)))
            .as("%s, world=%d, launch=%d", program.form().name(), world, launch)
            .allMatch(Outcome.Done.class::isInstance);
        BoundPostCondition.InitialContents start =
            (source, length) -> taken(inputs, source, length);
        for (int rank = 0; rank < world; rank++) {
          for (BoundPostCondition claim : program.rank(rank).claims(start)) {
            int owner = rank;
            assertThat(
                    claim.found(
                        (buffer, offset, length) -> instance.read(owner, buffer, offset, length)))
                .as("%s, world=%d, rank=%d", program.form().name(), world, rank)
                .isEqualTo(claim.expected(start));
          }
        }
      }
    }
  }

  private static byte[] taken(
      Map<String, byte[]> inputs, BoundPostCondition.Source source, int length) {
    int from = Math.toIntExact(source.offset());
    return Arrays.copyOfRange(inputs.get(source.buffer() + source.rank()), from, from + length);
  }

  private static Map<String, byte[]> fill(
      Program program, Executor.Instance instance, SplittableRandom random) {
    Map<String, byte[]> inputs = new TreeMap<>();
    List<Map<String, byte[]>> drawn = InputWords.draw(program, random::nextLong);
    for (int rank = 0; rank < program.world(); rank++) {
      for (Map.Entry<String, byte[]> input : drawn.get(rank).entrySet()) {
        inputs.put(input.getKey() + rank, input.getValue());
        instance.write(rank, input.getKey(), 0, input.getValue());
      }
    }
    return inputs;
  }
}
