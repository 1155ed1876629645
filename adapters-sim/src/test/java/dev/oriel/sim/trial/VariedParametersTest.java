package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.binding.InputWords;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.rewrite.ParameterByLaunch;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.sim.sequential.SequentialMachine;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * In a launch in which a parameter has some value, the changed program does what the program does
 * with that value. The oracle is the program itself, bound to the value of the launch.
 */
class VariedParametersTest {
  private static final int LAUNCHES = 6;

  private int compared;

  @Test
  void eachLaunchDoesWhatTheProgramDoesWithItsValue() {
    for (CorrectPrograms.Correct correct : CorrectPrograms.all()) {
      for (Form.Param param : correct.form().params()) {
        int world = Topology.parse(correct.worlds().getFirst()).world();
        List<Long> values = values(correct, param, world);
        if (values.size() > 1 && !param.name().equals("domain")) {
          compare(correct, param.name(), values, world);
        }
      }
    }
    assertThat(compared).isGreaterThan(100);
  }

  /** Zero, the value of the correct program, and the half, of those to which it can be bound. */
  private static List<Long> values(CorrectPrograms.Correct correct, Form.Param param, int world) {
    long most = Objects.requireNonNull(correct.params().get(param.name()));
    Set<Long> values = new TreeSet<>();
    for (long value : new long[] {0, most / 2 / 16 * 16, most}) {
      try {
        Program.bind(correct.form(), world, with(correct.params(), param.name(), value));
        values.add(value);
      } catch (ProgramException _) {
        // A size for which the program is not meant, such as half an element.
      }
    }
    return List.copyOf(values);
  }

  private static Map<String, Long> with(Map<String, Long> params, String name, long value) {
    Map<String, Long> changed = new HashMap<>(params);
    changed.put(name, value);
    return changed;
  }

  private void compare(
      CorrectPrograms.Correct correct, String param, List<Long> values, int world) {
    Form form;
    Program program;
    try {
      form = ParameterByLaunch.of(correct.form(), param, values);
      Map<String, Long> others = new HashMap<>(correct.params());
      others.remove(param);
      program = Program.bind(form, world, others);
    } catch (ProgramException refused) {
      assertThat(refused).hasMessageContaining("cannot differ between launches");
      return;
    }
    SplittableRandom random = new SplittableRandom(world);
    try (Executor executor = SequentialMachine.executor(FabricListener.NONE, System::nanoTime);
        Executor.Instance instance = executor.prepare(program, Topology.grid(1, world))) {
      for (int launch = 1; launch <= LAUNCHES; launch++) {
        List<Map<String, byte[]>> inputs = InputWords.draw(program, random::nextLong);
        for (int rank = 0; rank < world; rank++) {
          int owner = rank;
          inputs.get(rank).forEach((name, bytes) -> instance.write(owner, name, 0, bytes));
        }
        assertThat(instance.launch(Duration.ofSeconds(20)))
            .as("%s, launch=%d", form.name(), launch)
            .allMatch(Outcome.Done.class::isInstance);
        int chosen = Objects.requireNonNull(inputs.get(0).get(param + "_of_launch"))[0];
        Program alone =
            Program.bind(correct.form(), world, with(correct.params(), param, values.get(chosen)));
        judge(alone, instance, inputs, form.name() + ", value=" + values.get(chosen));
      }
    }
  }

  private void judge(
      Program alone, Executor.Instance instance, List<Map<String, byte[]>> inputs, String what) {
    BoundPostCondition.InitialContents start =
        (source, length) -> {
          int from = Math.toIntExact(source.offset());
          byte[] bytes = Objects.requireNonNull(inputs.get(source.rank()).get(source.buffer()));
          return Arrays.copyOfRange(bytes, from, from + length);
        };
    for (int rank = 0; rank < alone.world(); rank++) {
      int owner = rank;
      for (BoundPostCondition claim : alone.rank(rank).claims(start)) {
        compared++;
        assertThat(
                claim.found(
                    (buffer, offset, length) -> instance.read(owner, buffer, offset, length)))
            .as("%s, rank=%d", what, rank)
            .isEqualTo(claim.expected(start));
      }
    }
  }
}
