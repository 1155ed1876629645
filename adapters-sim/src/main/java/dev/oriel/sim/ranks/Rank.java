package dev.oriel.sim.ranks;

import java.util.List;
import java.util.Optional;

/** One lane of a rank in one execution after another, as the machine sees it. */
interface Rank {

  /** The further lanes of the rank. */
  List<? extends Rank> sides();

  /** Goes back to the beginning; what is left of the execution before is ended. */
  void restart(boolean told);

  /** Lets the code go on until it asks for something; empty once it has come to its end. */
  Optional<Request> next(Optional<Reply> reply);

  /** Why the code ended, if it threw. */
  Optional<Throwable> thrown();

  /** Where in the code an exception was thrown, in words. */
  String where(Throwable thrown);

  /** Ends the code wherever it stands. */
  void stop();
}
