package dev.oriel.cuda.stress;

import dev.oriel.ports.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/**
 * Recorded launches that verify themselves: GPUs write the inputs before each and compare the
 * outputs after it.
 */
@FunctionalInterface
public interface RecordedStressRun {
  /** Runs all of it once more within the deadline, and returns as a launch does. */
  StressResult run(Duration deadline);

  /**
   * The result so far.
   *
   * @param outcomes of each local rank
   * @param wrong the first wrong byte of each rank that had any
   */
  record StressResult(
      List<Outcome> outcomes, SortedMap<Integer, StressedRank.RankMismatch> wrong) {}
}
