package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link EngineMutantsTest}, for faults: with programs in which faults happen. */
class FailureMutantsTest {
  private static final Map<String, Witnesses> WITNESSES = new HashMap<>();

  static Stream<Arguments> mutants() {
    return FailureMutants.BY_PROGRAMS.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(e -> e.getValue().stream().map(mutant -> Arguments.of(e.getKey(), mutant)));
  }

  private static Witnesses witnesses(String name) {
    try (var in =
        Objects.requireNonNull(
            FailureMutantsTest.class.getResourceAsStream("failures/" + name + ".txt"))) {
      String texts = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new Witnesses(name, List.of(texts.split("(?m)^---\n", -1)));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @AfterAll
  static void write() {
    WITNESSES.values().forEach(Witnesses::write);
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Sampled(every = 10)
  void everyMutantIsDetected(String programs, EngineMutant mutant) throws Exception {
    Witnesses known = WITNESSES.computeIfAbsent(programs, FailureMutantsTest::witnesses);
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.MACHINE, mutant);
    assertThat(known.any(mutant, program -> EngineMutantsTest.differs(changed, program))).isTrue();
  }
}
