package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Some mutant changes a line of each class of the machine, or a reason is given. */
class MutatedClassesTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/oriel/sim/machine");

  private static Set<String> mutated() {
    return mutants()
        .map(EngineMutants.EngineMutant::file)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<EngineMutants.EngineMutant> mutants() {
    return Stream.of(
            EngineMutants.ALL.stream(),
            RecallMutants.ALL.stream(),
            RowsMutants.ALL.stream(),
            FailureMutants.BY_PROGRAMS.values().stream().flatMap(mutants -> mutants.stream()),
            SymmetryMutantsTest.cases().stream().map(SymmetryMutantsTest.Case::mutant),
            RareOutcomesTest.rows().stream().map(RareOutcomesTest.Row::mutant))
        .flatMap(mutants -> mutants);
  }

  private static Set<String> classes() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java"))
          .map(name -> name.replace(".java", ""))
          .filter(name -> !name.equals("package-info"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Set<String> excused() throws IOException {
    try (var in =
        Objects.requireNonNull(MutatedClassesTest.class.getResourceAsStream("unmutated.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.substring(0, line.indexOf(": ")))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void everyClassHasAMutantOrAReason() throws IOException {
    Set<String> rest = classes();
    rest.removeAll(mutated());
    assertThat(excused()).isEqualTo(rest);
  }

  /** By default a sample of the mutants runs; this checks the lines of all of them. */
  @Test
  void theLineOfEveryMutantOccursOnce() throws IOException {
    Map<String, List<String>> sources = new TreeMap<>();
    try (Stream<Path> files = Files.walk(SOURCES.getParent())) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        sources.computeIfAbsent(name, n -> new ArrayList<>()).add(Files.readString(file));
      }
    }
    assertThat(mutants())
        .allMatch(mutant ->
            sources.getOrDefault(mutant.file(), List.of()).stream()
                .anyMatch(text -> times(text, mutant.line()) == 1));
  }

  private static int times(String text, String line) {
    int times = 0;
    for (int at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
      times++;
    }
    return times;
  }
}
