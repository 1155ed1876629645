package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.trial.CorrectPrograms.Correct;
import dev.oriel.sim.trial.MutantCampaign.Fate;
import dev.oriel.sim.trial.SurvivorAnalysis.Likeness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Small mistakes in correct programs are detected quickly. */
@SuppressWarnings("EnumOrdinal")
class KillTest {
  private static final Path HARMLESS = Path.of("src/test/resources/correct/harmless.txt");
  private static final Budget FULL = new Budget(1, 30_000, 100_000, 300_000_000);
  private static final long SECOND = 1_000_000_000;
  private static final double ENOUGH = 0.95;

  /** A run that requests the full table, or one program, checks every mistake. */
  private static final boolean ASKED =
      System.getProperty("oriel.kill") != null || System.getProperty("oriel.kill.program") != null;

  /** Whether the mistake of that line is checked. */
  static boolean taken(String line) {
    return ASKED || Thorough.takes(10, line);
  }

  static String line(Correct program, Mutant mutant) {
    return program + ": " + mutant.name();
  }

  /** Equivalent mutants, as {@link #survivorsHaveTheSameResults} shows for each. */
  static Set<String> harmless() throws IOException {
    List<String> names = programs().stream().map(program -> program + ": ").toList();
    return Files.readAllLines(HARMLESS).stream()
        .filter(line -> names.stream().anyMatch(line::startsWith))
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** All of them, or those of a given name, for authors of a new one. */
  static List<Correct> programs() {
    String only = System.getProperty("oriel.kill.program", "");
    return CorrectPrograms.all().stream()
        .filter(program -> only.isEmpty() || program.toString().equals(only))
        .toList();
  }

  @Test
  void mistakesAreKilledWithinASecondEach() throws IOException {
    Set<String> harmless = harmless();
    List<String> survivors = new ArrayList<>();
    int counted = 0;
    int soon = 0;
    long slowest = 0;
    String slowestOf = "";
    long total = 0;
    for (Correct program : programs()) {
      MutantCampaign campaign = new MutantCampaign(program, program.worlds(), FULL);
      Predicate<Mutant> looked =
          m -> !harmless.contains(line(program, m)) && taken(line(program, m));
      for (Fate fate : campaign.run(looked, false)) {
        total += fate.nanos();
        counted++;
        if (fate.nanos() > slowest) {
          slowest = fate.nanos();
          slowestOf = line(program, fate.mutant());
        }
        if (fate.killer().isEmpty()) {
          survivors.add(line(program, fate.mutant()));
        } else if (fate.nanos() <= SECOND) {
          soon++;
        }
      }
    }
    System.out.printf(
        "mutants: harmless=%d, others=%d, killed=%.2f %%, within 1 s=%d, slowest=%d ms (%s), all=%d ms%n",
        harmless.size(),
        counted,
        100.0 * (counted - survivors.size()) / counted,
        soon,
        slowest / 1_000_000,
        slowestOf,
        total / 1_000_000);
    assertThat(survivors).as("survivors not known to be harmless").isEmpty();
    assertThat((double) soon / counted).isGreaterThanOrEqualTo(ENOUGH);
  }

  @Test
  @EnabledIfSystemProperty(named = "oriel.kill", matches = "full")
  void survivorsHaveTheSameResults() throws IOException {
    Set<String> survivors = new TreeSet<>();
    int[] likeness = new int[Likeness.values().length];
    for (Correct program : programs()) {
      for (Fate fate : new MutantCampaign(program, program.worlds(), FULL).run(m -> true, true)) {
        if (fate.killer().isPresent()) {
          continue;
        }
        survivors.add(line(program, fate.mutant()));
        System.out.println(line(program, fate.mutant()));
        fate.survivors().forEach(s -> System.out.println("    " + s));
        assertThat(fate.survivors())
            .as(line(program, fate.mutant()))
            .isNotEmpty()
            .extracting(SurvivorAnalysis::likeness)
            .doesNotContain(Likeness.DIFFERENT);
        likeness[fate.survivors().stream().mapToInt(s -> s.likeness().ordinal()).max().orElse(0)]++;
      }
    }
    for (Likeness l : Likeness.values()) {
      System.out.printf("survivors %s: %d%n", l, likeness[l.ordinal()]);
    }
    assertThat(survivors).containsExactlyInAnyOrderElementsOf(harmless());
  }

  @Test
  @EnabledIfSystemProperty(named = "oriel.kill", matches = "full")
  void tableOfExecutionsToTheFirstFailure() {
    KillTable table = new KillTable();
    for (Correct program : programs()) {
      new MutantCampaign(program, program.worlds().subList(0, 2), FULL).strategies(table::add);
    }
    System.out.print(table);
  }
}
