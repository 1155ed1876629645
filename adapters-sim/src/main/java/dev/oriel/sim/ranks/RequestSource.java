package dev.oriel.sim.ranks;

import java.util.List;
import java.util.Optional;

/** One lane of a rank, as the machine sees it over all executions. */
interface RequestSource {

  /** The further lanes of the rank. */
  List<? extends RequestSource> sides();

  /** Returns to the beginning, after ending the code of the previous execution if it still runs. */
  void restart(boolean described);

  /** Runs the code until its next request; empty once it has completed. */
  Optional<LaneRequest> next(Optional<LaneReply> reply);

  /** The error that ended the code, if it threw. */
  Optional<Throwable> thrown();

  /** The place in the code at which an exception was thrown, in words. */
  String where(Throwable thrown);

  /** Ends the code wherever it is. */
  void stop();
}
