package dev.oriel.it.mutate;

import dev.oriel.domain.program.Form;
import dev.oriel.sim.trial.MutantTrial;
import dev.oriel.sim.trial.TrialSetting;

/** Receives trials of mutants as they end. */
interface MutateReport {
  void begin(Form form, TrialSetting setting);

  void row(MutantTrial trial);

  void end(MutateTally tally);
}
