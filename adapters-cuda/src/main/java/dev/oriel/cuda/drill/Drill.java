package dev.oriel.cuda.drill;

import dev.oriel.ports.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/** Recorded launches, each on inputs that GPUs set and with outputs that GPUs compare. */
@FunctionalInterface
public interface Drill {
  /** Runs all of it once more, within the deadline; ends as a launch does. */
  Gone run(Duration deadline);

  /**
   * How it has gone so far.
   *
   * @param outcomes of each local rank
   * @param wrong what was wrong first, by rank
   */
  record Gone(List<Outcome> outcomes, SortedMap<Integer, DrilledRank.Wrong> wrong) {}
}
