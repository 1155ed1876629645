package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.CsvSource;

/** Some mutant changes a line of each class of the machine, or a reason is given. */
class MutatedClassesTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/oriel/sim/machine");

  private static Set<String> mutated() {
    return Stream.concat(mutants(), tabled())
        .map(EngineMutants.EngineMutant::file)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<EngineMutants.EngineMutant> mutants() {
    return Stream.of(
            EngineMutants.ALL.stream(),
            StepMemoMutants.ALL.stream(),
            StepMemoMutants.OF_SEARCH.stream(),
            ClockTableMutants.ALL.stream(),
            FailureMutants.BY_PROGRAMS.values().stream().flatMap(mutants -> mutants.stream()),
            RankSymmetryMutantsTest.cases().stream().map(RankSymmetryMutantsTest.Case::mutant),
            InsertionsTest.mutants().stream()
                .map(each -> (EngineMutants.EngineMutant) each.get()[2]),
            LaunchRelativeDigestTest.mutants().stream(),
            AnyLaunchesTest.rows().stream().map(AnyLaunchesTest.Row::mutant),
            RareOutcomesTest.rows().stream().map(RareOutcomesTest.Row::mutant))
        .flatMap(mutants -> mutants);
  }

  /** Mutants in tables of parameters; several columns make one. */
  private static Stream<EngineMutants.EngineMutant> tabled() {
    return Stream.of(
            CallAxiomsTest.class,
            FaultLegalityTest.class,
            UnorderedPutProgramsTest.class,
            NamesTest.class,
            ProgramsAgainstAxiomsTest.class,
            RelationsTest.class,
            RetryMutantsTest.class,
            SuppliedOrderTest.class,
            TimeOrderTest.class)
        .flatMap(test -> Arrays.stream(test.getDeclaredMethods()))
        .filter(MutatedClassesTest::takesMutant)
        .flatMap(test -> {
          CsvSource table = test.getAnnotation(CsvSource.class);
          int file = parameters(test).indexOf("file");
          return (table.textBlock().isEmpty()
                  ? Arrays.stream(table.value())
                  : table.textBlock().lines())
              .map(line -> cells(line, table))
              .map(cells ->
                  new EngineMutants.EngineMutant(cells.get(file), cells.get(file + 1), ""));
        });
  }

  private static boolean takesMutant(Method test) {
    return test.isAnnotationPresent(CsvSource.class) && parameters(test).contains("file");
  }

  private static List<String> parameters(Method test) {
    return Arrays.stream(test.getParameters()).map(Parameter::getName).toList();
  }

  private static List<String> cells(String line, CsvSource table) {
    char delimiter = table.delimiter() == 0 ? ',' : table.delimiter();
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (char c : (line + delimiter).toCharArray()) {
      if (c == table.quoteCharacter()) {
        quoted = !quoted;
      } else if (c == delimiter && !quoted) {
        cells.add(cell.toString().strip());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    return cells;
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
    assertThat(tabled()).hasSizeGreaterThan(40);
    assertThat(Stream.concat(mutants(), tabled()))
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
