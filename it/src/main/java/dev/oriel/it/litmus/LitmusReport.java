package dev.oriel.it.litmus;

import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.test.LitmusTest;
import java.nio.file.Path;

/** Where litmus verdicts go, file by file. */
interface LitmusReport {
  void verdict(Path file, LitmusTest test, LitmusVerdict verdict);

  /** A test that cannot be read; line and column are 0 where the file itself cannot. */
  void malformed(Path file, int line, int column, String message);

  /** A file of a folder that is no PTX litmus test, and why. */
  void skipped(Path file, String reason);

  void end(LitmusTally tally);
}
