package dev.oriel.it.mutate;

import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.trial.MutantTrial;
import dev.oriel.sim.trial.SurvivorAnalysis.Likeness;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Sums over the trials of one program. */
record MutateTally(List<MutantTrial> trials) {
  MutateTally {
    trials = List.copyOf(trials);
  }

  int mutants() {
    return trials.size();
  }

  int killed() {
    return (int) trials.stream().filter(MutantTrial::killed).count();
  }

  int refused() {
    return (int) trials.stream().filter(t -> !t.refusal().isEmpty()).count();
  }

  /** The mutants that show where the number of launches wraps, and nowhere before. */
  int wraps() {
    return (int) trials.stream().filter(MutantTrial::wraps).count();
  }

  /** Survivors of that likeness to the original. */
  int survivors(Likeness likeness) {
    return (int)
        trials.stream()
            .flatMap(t -> t.survivor().stream())
            .filter(s -> s.likeness() == likeness)
            .count();
  }

  /** Survivors in which no difference is known, but not everything was explored. */
  int bounded() {
    return survivors(Likeness.SYNCHRONISED) + survivors(Likeness.BOUNDED);
  }

  /** Survivors that are known to be equivalent mutants. */
  int equivalent() {
    return (int) trials.stream().filter(MutantTrial::equivalent).count();
  }

  /** Survivors with equal outcomes and no known reason. */
  int unexplained() {
    return survivors(Likeness.STEPS) + survivors(Likeness.SAME) - equivalent();
  }

  /** The percentage of killed mutants among those that are not equivalent. */
  double percentage() {
    int counted = mutants() - equivalent();
    return counted == 0 ? 100 : 100.0 * killed() / counted;
  }

  /** The number of mutants that a strategy kills. */
  int by(Strategy strategy, Function<MutantTrial, Map<Strategy, Long>> column) {
    return (int) trials.stream().filter(t -> column.apply(t).containsKey(strategy)).count();
  }

  long micros() {
    return trials.stream().mapToLong(MutantTrial::nanos).sum() / 1000;
  }
}
