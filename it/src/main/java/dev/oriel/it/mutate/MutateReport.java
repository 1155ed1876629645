package dev.oriel.it.mutate;

import dev.oriel.sim.trial.Setting;
import dev.oriel.sim.trial.Trial;

/** Receives trials of mutants as they end. */
interface MutateReport {
  void begin(String program, Setting setting);

  void row(Trial trial);

  void end(MutateTally tally);
}
