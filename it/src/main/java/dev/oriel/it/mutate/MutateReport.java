package dev.oriel.it.mutate;

import dev.oriel.sim.trial.MutantTrial;
import dev.oriel.sim.trial.TrialSetting;

/** Receives trials of mutants as they end. */
interface MutateReport {
  void begin(String program, TrialSetting setting);

  void row(MutantTrial trial);

  void end(MutateTally tally);
}
