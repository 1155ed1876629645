package dev.oriel.it;

import dev.oriel.sim.litmus.LitmusException;
import dev.oriel.sim.litmus.LitmusTest;
import dev.oriel.sim.litmus.LitmusVerdict;
import java.nio.file.Path;

/** Where litmus verdicts go, file by file. */
interface LitmusReport {
  void verdict(Path file, LitmusTest test, LitmusVerdict verdict);

  void malformed(Path file, LitmusException problem);

  void end(LitmusTally tally);
}
