package dev.oriel.it.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.cuda.stress.StressContents;
import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.it.run.LaunchExercise;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.sim.sequential.SequentialExecutor;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Model.CommandSpec;

/** The expected values on GPUs are the results of another machine, wherever a hook stores them. */
class StressRunnerTest {
  @ParameterizedTest
  @CsvSource({"expert-counts, E, 20", "transpose-alltoall, B, 12", "allgather, B, 12"})
  void sheetsExpectTheResultsOfAMachine(String name, String size, int bytes) {
    Topology topology = Topology.parse("1x3");
    CommandSpec spec = CommandSpec.create();
    Program program = Program.bind(ProgramTexts.shipped(spec, name), 3, params(name, size, bytes));
    LaunchExercise exercise = LaunchExercise.draw(program, new SplittableRandom(7));
    try (Executor executor = new SequentialExecutor(FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(program, topology)) {
      for (int rank : instance.ranks()) {
        int to = rank;
        exercise.before(rank).forEach((buffer, held) -> instance.write(to, buffer, 0, held));
      }
      assertThat(instance.launch(Duration.ofSeconds(20))).allMatch(Outcome.Done.class::isInstance);
      for (int rank : instance.ranks()) {
        Set<String> promised =
            exercise.claims(rank).stream()
                .map(BoundPostCondition::actual)
                .collect(Collectors.toSet());
        Map<String, StressContents.ExpectedBytes> after =
            StressRunner.sheet(exercise, rank, promised).after();
        for (String buffer : promised) {
          StressContents.ExpectedBytes expected = Objects.requireNonNull(after.get(buffer));
          byte[] found = instance.read(rank, buffer, 0, expected.bytes().length);
          assertThat(expected.mask()).containsOnly(-1);
          assertThat(found).isEqualTo(expected.bytes());
        }
      }
    }
  }

  private static Map<String, Long> params(String name, String size, long bytes) {
    return name.startsWith("transpose") ? Map.of(size, bytes, "R", 3L) : Map.of(size, bytes);
  }
}
