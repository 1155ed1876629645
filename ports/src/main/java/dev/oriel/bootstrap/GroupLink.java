package dev.oriel.bootstrap;

import java.nio.ByteBuffer;
import java.util.List;

/** One rank's link to its group: the single primitive that all collectives are made of. */
interface GroupLink {
  /**
   * Gives this rank's contribution and returns every rank's, in rank order. On failure it sends the
   * others all that they cannot observe themselves, then throws the group's failure.
   */
  List<ByteBuffer> exchange(CollectiveCall call);

  /** Makes a blocked {@link #exchange} on another thread end with CLOSED, soon. */
  void requestClose();

  /** Frees everything; called once, with no exchange in progress. */
  void release();
}
