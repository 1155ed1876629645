package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.sim.litmus.LitmusBattery;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every guard and join of the operational litmus engine is needed: without it, states change. */
@SuppressWarnings("StringSplitter")
class OperationalMutantsTest {
  private static final Path SHAPES = Path.of("src/test/resources/litmus");
  private static final int DRAWN = 300;
  private static final List<String> MODELS = List.of("ptx-7.5", "ptx-isa", "ptx-6.0");
  private static final Map<String, String> STATES = new HashMap<>();
  private static Witnesses witnesses = new Witnesses("operational", List.of());

  static List<EngineMutant> mutants() {
    return OperationalMutants.ALL;
  }

  /** Shapes that random programs hit too rarely. */
  private static String[] battery() throws IOException {
    try (var in =
        Objects.requireNonNull(
            OperationalMutantsTest.class.getResourceAsStream("/litmus/battery.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).split("(?m)^---\n");
    }
  }

  @BeforeAll
  static void read() throws IOException {
    Set<String> programs = new LinkedHashSet<>(List.of(battery()));
    for (int i = 0; i < DRAWN; i++) {
      programs.add(LitmusBattery.drawn(i, MODELS.get(i % MODELS.size())));
    }
    try (Stream<Path> files = Files.list(SHAPES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".litmus")).sorted().toList()) {
        for (String model : MODELS) {
          programs.add(model + "\n" + Files.readString(file));
        }
      }
    }
    witnesses = new Witnesses("operational", programs);
  }

  @AfterAll
  static void write() {
    witnesses.write();
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Sampled(every = 10)
  void everyMutantIsDetected(EngineMutant mutant) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.OPERATIONAL, mutant);
    assertThat(witnesses.any(mutant, program -> differs(changed, program))).isTrue();
  }

  private static boolean differs(UnaryOperator<String> changed, String program) {
    String right = STATES.computeIfAbsent(program, new LitmusBattery());
    try {
      return !changed.apply(program).equals(right);
    } catch (RuntimeException e) {
      return true;
    }
  }
}
