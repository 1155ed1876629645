package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link EngineMutantsTest}, of what goes wrong: by programs that it goes wrong in. */
class FailureMutantsTest {
  private static final Map<String, Witnesses<Map.Entry<String, String>>> WITNESSES =
      new HashMap<>();

  static Stream<Arguments> mutants() {
    return FailureMutants.BY_PROGRAMS.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(e -> e.getValue().stream().map(mutant -> Arguments.of(e.getKey(), mutant)));
  }

  /** What the machine says of each of the programs of that name. */
  private static Witnesses<Map.Entry<String, String>> verdicts(String name) {
    UnaryOperator<String> battery = new Battery();
    Map<String, String> verdicts = new LinkedHashMap<>();
    try (var in =
        Objects.requireNonNull(
            FailureMutantsTest.class.getResourceAsStream("failures/" + name + ".txt"))) {
      String texts = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String program : texts.split("(?m)^---\n", -1)) {
        verdicts.put(program, battery.apply(program));
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return new Witnesses<>(verdicts.entrySet());
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Sampled(every = 10)
  void aChangeOfTheMachineShows(String programs, EngineMutant mutant) throws Exception {
    Witnesses<Map.Entry<String, String>> known =
        WITNESSES.computeIfAbsent(programs, FailureMutantsTest::verdicts);
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.MACHINE, mutant);
    assertThat(known.any(e -> EngineMutantsTest.differs(changed, e))).isTrue();
  }
}
