package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.mutate.Mutants;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.trial.CorrectPrograms.Correct;
import dev.oriel.sim.trial.Survivor.Likeness;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Mistakes that {@link KillTest} takes to be harmless are so among three ranks at L2. */
@SuppressWarnings("EnumOrdinal")
class HarmlessTest {
  private static final int RANKS = 3;
  private static final boolean WHOLE = "full".equals(System.getProperty("oriel.kill"));

  /** By synchronisation all is seen; in every order of every step, what is small. */
  private static final Budget BUDGET = new Budget(1, 20_000, 20_000, 200_000_000);

  private static final Budget FULL = new Budget(1, WHOLE ? 20_000 : 1000, 100_000, 1_000_000_000);

  private static Trials trials(Correct program, String world) {
    Topology topology = Topology.parse(world);
    return new Trials(
        program.form(),
        new Setting(topology, program.params(), Profile.L2, 3, 1, BUDGET, FULL, 1),
        System::nanoTime);
  }

  private static List<String> worlds(Correct program) {
    return program.worlds().stream().filter(w -> Topology.parse(w).world() == RANKS).toList();
  }

  @Test
  void theyComeToTheSameAmongThreeRanks() throws IOException {
    long start = System.nanoTime();
    Set<String> harmless = KillTest.harmless();
    Set<String> seen = new TreeSet<>();
    List<String> wrong = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    List<String> unexplained = new ArrayList<>();
    TreeMap<String, Integer> cut = new TreeMap<>();
    TreeMap<String, Integer> reasons = new TreeMap<>();
    int[] likeness = new int[Likeness.values().length];
    for (Correct program : KillTest.programs()) {
      List<String> worlds = worlds(program);
      assertThat(worlds).as("worlds of three ranks of %s", program).isNotEmpty();
      List<Trials> trials = worlds.stream().map(w -> trials(program, w)).toList();
      for (Mutant mutant : Mutants.of(program.form())) {
        String line = KillTest.line(program, mutant);
        if (!harmless.contains(line)) {
          continue;
        }
        seen.add(line);
        boolean named = false;
        for (int w = 0; w < worlds.size(); w++) {
          Survivor s = trials.get(w).compare(mutant);
          String where = line + " in " + worlds.get(w);
          likeness[s.likeness().ordinal()]++;
          if (s.likeness() == Likeness.DIFFERENT || s.likeness() == Likeness.BOUNDED) {
            wrong.add(where + ": " + s);
          }
          if (s.likeness() == Likeness.SYNCHRONISED) {
            cut.merge(program + " " + worlds.get(w), 1, Integer::sum);
          }
          named |= s.reason().isPresent();
          s.reason()
              .ifPresentOrElse(
                  r ->
                      reasons.merge(
                          r instanceof Survivor.Nothing n ? n.name() : r.getClass().getSimpleName(),
                          1,
                          Integer::sum),
                  () -> silent.add(where));
          if (WHOLE) {
            System.out.println(where + "\n    " + s);
          }
        }
        if (!named) {
          unexplained.add(line);
        }
      }
    }
    System.out.printf("harmless among 3 ranks at L2, by world: %s%n", reasons);
    for (Likeness l : Likeness.values()) {
      System.out.printf("  %s: %d%n", l, likeness[l.ordinal()]);
    }
    System.out.printf(
        "  not in full, since the original has more than %d states in one launch: %s%n",
        FULL.states(), cut);
    System.out.printf("  no reason named in one of two worlds: %s%n", silent);
    System.out.printf("  %d ms%n", (System.nanoTime() - start) / 1_000_000);
    assertThat(wrong).as("not the same among three ranks").isEmpty();
    assertThat(seen).containsExactlyInAnyOrderElementsOf(harmless);
    assertThat(unexplained).as("no reason named").isEmpty();
  }

  /** What is compared tells mistakes that show from the original, each in a world of three. */
  @Test
  void mistakesThatShowAreTold() throws IOException {
    Set<String> harmless = KillTest.harmless();
    int told = 0;
    for (Correct program : KillTest.programs()) {
      String world = worlds(program).getFirst();
      Trials trials = trials(program, world);
      List<Mutant> shown =
          Mutants.of(program.form()).stream()
              .filter(m -> m.mutation().equals("drop"))
              .filter(m -> !harmless.contains(KillTest.line(program, m)))
              .filter(m -> !trials.quick(m).checked().isEmpty())
              .limit(2)
              .toList();
      for (Mutant mutant : shown) {
        told++;
        assertThat(trials.compare(mutant).likeness())
            .as("%s in %s", KillTest.line(program, mutant), world)
            .isEqualTo(Likeness.DIFFERENT);
      }
    }
    assertThat(told).isPositive();
  }
}
