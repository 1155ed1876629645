package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.mutate.MutantGenerator;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.trial.CorrectPrograms.Correct;
import dev.oriel.sim.trial.SurvivorAnalysis.Likeness;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Mutants that {@link KillTest} takes to be equivalent are so at L2: for three ranks in every order
 * of synchronisation, and for two or three in every order of every step.
 */
class EquivalentMutantsTest {
  private static final int RANKS = 3;
  private static final boolean WHOLE = "full".equals(System.getProperty("oriel.kill"));

  /** The search by synchronisation is exhaustive. */
  private static final Budget BUDGET = new Budget(1, 20_000, 20_000, 200_000_000);

  /** For every order of every step: more states cut fewer comparisons. */
  private static final Budget FULL =
      new Budget(
          1, Long.getLong("oriel.kill.states", Thorough.count(500, 3000)), 100_000, 1_000_000_000);

  /** The number of comparisons that are cut in every setting that has steps of the mistake. */
  private static final int CUT = 237;

  /** {@link SettingLadder} searches every order of every step. */
  private static final Budget NONE = new Budget(1, 1, 1, 1);

  private static TrialRunner trials(Correct program, String world) {
    Topology topology = Topology.parse(world);
    return new TrialRunner(
        program.form(),
        new TrialSetting(topology, program.params(), Profile.L2, 3, 1, BUDGET, NONE, 1),
        System::nanoTime);
  }

  private static List<String> worlds(Correct program) {
    return program.worlds().stream().filter(w -> Topology.parse(w).world() == RANKS).toList();
  }

  /** The number of comparisons by result. */
  private static final class Counts {
    private final Map<String, Integer> counts = new TreeMap<>();

    void add(String what) {
      counts.merge(what, 1, Integer::sum);
    }

    void print(String title) {
      System.out.println(title);
      counts.forEach((what, count) -> System.out.printf("  %5d %s%n", count, what));
    }
  }

  private final Counts likeness = new Counts();
  private final Counts reasons = new Counts();
  private final Counts edges = new Counts();
  private final Counts whole = new Counts();
  private final List<String> wrong = new ArrayList<>();
  private final List<String> silent = new ArrayList<>();
  private final List<String> cut = new ArrayList<>();

  @Test
  void equivalentMutantsHaveTheSameResults() throws IOException {
    long start = System.nanoTime();
    Set<String> harmless = KillTest.harmless();
    harmless.removeIf(line -> !KillTest.taken(line));
    Set<String> seen = new TreeSet<>();
    Set<String> explained = new TreeSet<>();
    for (Correct program : KillTest.programs()) {
      List<Mutant> mutants =
          MutantGenerator.of(program.form()).stream()
              .filter(m -> harmless.contains(KillTest.line(program, m)))
              .toList();
      List<String> worlds = worlds(program);
      assertThat(worlds).as("worlds of three ranks of %s", program).isNotEmpty();
      if (mutants.isEmpty()) {
        continue;
      }
      for (String world : worlds) {
        TrialRunner given = trials(program, world);
        SettingLadder ladder = new SettingLadder(program, world, FULL);
        for (Mutant mutant : mutants) {
          String line = KillTest.line(program, mutant);
          seen.add(line);
          SurvivorAnalysis survivor = given.compare(mutant);
          note(line + " in " + world, survivor, ladder.look(mutant));
          survivor.reason().ifPresent(r -> explained.add(line));
        }
      }
    }
    likeness.print("harmless at L2, by world of 3 ranks");
    whole.print("in every order of every step");
    reasons.print("reasons");
    edges.print("once what is named is missing too");
    System.out.printf("not seen in full: %s%n", cut);
    System.out.printf("no reason named in one of two worlds: %s%n", silent);
    System.out.printf("%d ms%n", (System.nanoTime() - start) / 1_000_000);
    assertThat(wrong).as("not the same").isEmpty();
    assertThat(seen).containsExactlyInAnyOrderElementsOf(harmless);
    assertThat(explained).as("no reason named").containsExactlyElementsOf(seen);
    assertThat(cut.size()).as("not seen in full").isLessThanOrEqualTo(CUT);
  }

  private void note(String where, SurvivorAnalysis survivor, Optional<SettingLadder.Seen> seen) {
    likeness.add(survivor.likeness().name());
    if (survivor.likeness() == Likeness.DIFFERENT || survivor.likeness() == Likeness.BOUNDED) {
      wrong.add(where + ": " + survivor);
    }
    reasons.add(survivor.reason().map(EquivalentMutantsTest::word).orElse("none"));
    survivor.reason().ifPresentOrElse(reason -> edge(where, reason), () -> silent.add(where));
    String found = seen.map(EquivalentMutantsTest::word).orElse("nowhere");
    whole.add(found);
    if (seen.isEmpty()) {
      cut.add(where);
    }
    if (seen.filter(s -> s.likeness() == Likeness.DIFFERENT).isPresent()) {
      wrong.add(where + ": different among " + found);
    }
    if (WHOLE) {
      System.out.printf("%s%n    in full: %s%n    %s%n", where, found, reason(survivor));
    }
  }

  private static String reason(SurvivorAnalysis survivor) {
    return survivor.reason().map(Object::toString).orElse("no reason named");
  }

  private static String word(SettingLadder.Seen seen) {
    return seen.kind()
        .map(SettingLadder.Kind::toString)
        .orElse("the same steps among 2 and 3 ranks");
  }

  private static String word(SurvivorAnalysis.Reason reason) {
    return reason instanceof SurvivorAnalysis.Nothing n
        ? n.name()
        : reason.getClass().getSimpleName();
  }

  /** The result of the mistake without the operation that the reason names. */
  private void edge(String where, SurvivorAnalysis.Reason reason) {
    switch (reason) {
      case SurvivorAnalysis.Edge e -> edges.add("an operation: " + e.finding());
      case SurvivorAnalysis.Way w when w.without().isEmpty() ->
          edges.add("a way: " + w.operation());
      case SurvivorAnalysis.Way w -> {
        edges.add("a way: " + w.without().filter(f -> !f.isEmpty()).orElse("nothing is found"));
        if (w.without().get().isEmpty()) {
          System.out.println("still nothing: " + where + ": " + w);
        }
      }
      case SurvivorAnalysis.Nothing n -> {}
    }
  }

  /** The comparison distinguishes detected mistakes from the original, each in a world of three. */
  @Test
  void detectedMistakesAreDifferent() throws IOException {
    Set<String> harmless = KillTest.harmless();
    int compared = 0;
    for (Correct program : KillTest.programs()) {
      String world = worlds(program).getFirst();
      TrialRunner trials = trials(program, world);
      List<Mutant> shown =
          MutantGenerator.of(program.form()).stream()
              .filter(m -> m.mutation().equals("drop"))
              .filter(m -> !harmless.contains(KillTest.line(program, m)))
              .filter(m -> !trials.quick(m).checked().isEmpty())
              .limit(2)
              .toList();
      for (Mutant mutant : shown) {
        compared++;
        assertThat(trials.compare(mutant).likeness())
            .as("%s in %s", KillTest.line(program, mutant), world)
            .isEqualTo(Likeness.DIFFERENT);
      }
    }
    assertThat(compared).isPositive();
  }
}
