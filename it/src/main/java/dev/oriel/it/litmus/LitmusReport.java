package dev.oriel.it.litmus;

import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.test.LitmusTest;
import java.nio.file.Path;

/** Receives litmus verdicts, file by file. */
interface LitmusReport {
  void verdict(Path file, LitmusTest test, LitmusVerdict verdict);

  /** A malformed test; line and column are 0 if the file itself cannot be read. */
  void malformed(Path file, int line, int column, String message);

  /** A file of a folder that is no PTX litmus test, and why. */
  void skipped(Path file, String reason);

  void end(LitmusTally tally);
}
