package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every guard, join and check of the machine is needed: without it, some program is misjudged. */
class EngineMutantsTest {
  private static final Path SHAPES = Path.of("../domain/src/test/resources/onesided");
  private static final Map<String, String> VERDICTS = new HashMap<>();
  private static Witnesses witnesses = new Witnesses("engine", List.of());

  static List<EngineMutant> mutants() {
    return EngineMutants.ALL;
  }

  /** Programs for this test, then the one-sided shapes. */
  static List<String> programs() throws IOException {
    List<String> programs = new ArrayList<>();
    try (var in =
        Objects.requireNonNull(EngineMutantsTest.class.getResourceAsStream("battery.txt"))) {
      programs.addAll(
          List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("(?m)^---\n")));
    }
    try (Stream<Path> files = Files.list(SHAPES)) {
      for (Path file : files.sorted().toList()) {
        programs.add("2x1 rdma-strict\n" + Files.readString(file));
        programs.add("1x2 L2\n" + Files.readString(file));
      }
    }
    return programs;
  }

  @BeforeAll
  static void read() throws IOException {
    witnesses = new Witnesses("engine", new LinkedHashSet<>(programs()));
  }

  @AfterAll
  static void write() {
    witnesses.write();
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Sampled(every = 10)
  void everyMutantIsDetected(EngineMutant mutant) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.MACHINE, mutant);
    assertThat(witnesses.any(mutant, program -> differs(changed, program))).isTrue();
  }

  /** Whether the changed machine gives another verdict on a program. */
  static boolean differs(UnaryOperator<String> changed, String program) {
    String right = VERDICTS.computeIfAbsent(program, new Battery());
    try {
      return !changed.apply(program).equals(right);
    } catch (RuntimeException | AssertionError e) {
      return true;
    }
  }
}
