package dev.oriel.cuda.drill;

import dev.oriel.ports.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/**
 * Recorded launches that verify themselves: GPUs write the inputs before each and compare the
 * outputs after it.
 */
@FunctionalInterface
public interface RecordedDrill {
  /** Runs all of it once more within the deadline, and returns as a launch does. */
  DrillResult run(Duration deadline);

  /**
   * The result so far.
   *
   * @param outcomes of each local rank
   * @param wrong the first wrong byte of each rank that had any
   */
  record DrillResult(List<Outcome> outcomes, SortedMap<Integer, DrilledRank.RankMismatch> wrong) {}
}
