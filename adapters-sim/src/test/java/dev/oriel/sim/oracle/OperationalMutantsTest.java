package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.sim.litmus.LitmusBattery;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every guard and join of the operational litmus engine is needed: without it, states change. */
@SuppressWarnings("StringSplitter")
class OperationalMutantsTest {
  private static final Path SHAPES = Path.of("src/test/resources/litmus");
  private static final int DRAWN = 300;
  private static final List<String> MODELS = List.of("ptx-7.5", "ptx-isa", "ptx-6.0");
  private static Witnesses<Map.Entry<String, String>> witnesses = new Witnesses<>(List.of());

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
  static void run() throws IOException {
    UnaryOperator<String> battery = new LitmusBattery();
    Map<String, String> states = new LinkedHashMap<>();
    for (String program : battery()) {
      states.put(program, battery.apply(program));
    }
    for (int i = 0; i < DRAWN; i++) {
      String program = LitmusBattery.drawn(i, MODELS.get(i % MODELS.size()));
      states.put(program, battery.apply(program));
    }
    try (Stream<Path> files = Files.list(SHAPES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".litmus")).sorted().toList()) {
        for (String model : MODELS) {
          String program = model + "\n" + Files.readString(file);
          states.put(program, battery.apply(program));
        }
      }
    }
    witnesses = new Witnesses<>(states.entrySet());
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Sampled(every = 10)
  void aChangeOfTheEngineShows(EngineMutant mutant) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.OPERATIONAL, mutant);
    assertThat(witnesses.any(e -> differs(changed, e))).isTrue();
  }

  private static boolean differs(UnaryOperator<String> changed, Map.Entry<String, String> known) {
    try {
      return !changed.apply(known.getKey()).equals(known.getValue());
    } catch (RuntimeException e) {
      return true;
    }
  }
}
