package dev.oriel.sim.trial;

import dev.oriel.domain.measure.ProcessorTime;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.mutate.MutantGenerator;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.trial.CorrectPrograms.Correct;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Every mutant of a program in the program's worlds, one after another until one kills it. */
final class MutantCampaign {
  private static final Budget QUICK = new Budget(20, 20_000, 20_000, 200_000_000);

  /**
   * A mutant and the trial that killed it; if it survived, the results in each world.
   *
   * @param killer empty if it survived
   * @param nanos the total time, including worlds in which it survived
   */
  record Fate(
      Mutant mutant,
      Optional<MutantTrial> killer,
      String world,
      long nanos,
      List<SurvivorAnalysis> survivors) {
    boolean equivalent() {
      return killer.isEmpty()
          && !survivors.isEmpty()
          && survivors.stream().allMatch(SurvivorAnalysis::equivalent);
    }
  }

  private final Correct program;
  private final List<String> worlds;
  private final List<TrialRunner> trials;

  /** With one lane for the work of two, which exposes mistakes that a second lane hides. */
  private final Correct small;

  private final List<TrialRunner> smaller;

  /** In the program's given worlds, under the profile with the least order. */
  MutantCampaign(Correct program, List<String> worlds, Budget full) {
    this.program = program;
    this.worlds = worlds;
    small = program.small();
    trials = trials(program, worlds, full);
    smaller = trials(small, worlds, full);
  }

  private static List<TrialRunner> trials(Correct program, List<String> worlds, Budget full) {
    return worlds.stream()
        .map(world ->
            new TrialSetting(
                Topology.parse(world), program.params(), Profile.RDMA_STRICT, 3, 2, QUICK, full, 1))
        .map(setting -> new TrialRunner(program.form(), setting, ProcessorTime::nanos))
        .toList();
  }

  /** Runs the selected mutants; a survivor is compared with the original if {@code compare}. */
  List<Fate> run(Predicate<Mutant> wanted, boolean compare) {
    return MutantGenerator.of(program.form()).stream()
        .filter(wanted)
        .map(m -> fate(m, compare))
        .toList();
  }

  /** Every mutant by every strategy, in every world. */
  void strategies(Consumer<MutantTrial> each) {
    for (TrialRunner world : trials) {
      MutantGenerator.of(program.form()).forEach(m -> each.accept(world.strategies(m)));
    }
  }

  /** Two ranks, or three if two are too few. */
  private int smallest() {
    return worlds.stream()
        .mapToInt(w -> Topology.parse(w).world())
        .filter(ranks -> ranks > 1)
        .min()
        .orElseThrow();
  }

  private Fate fate(Mutant mutant, boolean compare) {
    long nanos = 0;
    MutantTrial refused = null;
    List<Integer> bound = new ArrayList<>();
    for (int i = 0; i < trials.size(); i++) {
      MutantTrial trial = trials.get(i).quick(mutant);
      nanos += trial.nanos();
      if (!trial.refusal().isEmpty()) {
        refused = trial;
        continue;
      }
      bound.add(i);
      if (trial.killed()) {
        return new Fate(mutant, Optional.of(trial), worlds.get(i), nanos, List.of());
      }
    }
    Mutant alike = small.like(mutant);
    for (int i = 0; i < smaller.size() && refused == null; i++) {
      MutantTrial trial = smaller.get(i).quick(alike);
      nanos += trial.nanos();
      if (trial.killed()) {
        return new Fate(mutant, Optional.of(trial), worlds.get(i), nanos, List.of());
      }
    }
    if (refused != null) {
      return new Fate(mutant, Optional.of(refused), "", nanos, List.of());
    }
    List<SurvivorAnalysis> survivors = new ArrayList<>();
    for (int i : bound) {
      if (compare && Topology.parse(worlds.get(i)).world() == smallest()) {
        survivors.add(trials.get(i).compare(mutant));
      }
    }
    return new Fate(mutant, Optional.empty(), "", nanos, survivors);
  }
}
