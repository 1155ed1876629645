package dev.oriel.bootstrap;

import java.nio.ByteBuffer;
import java.util.List;

/** One rank's link to its group: the single primitive that all collectives are made of. */
interface Exchange {
  /**
   * Gives this rank's contribution and returns every rank's, in rank order, or throws the group's
   * failure after telling the others whatever they cannot see for themselves.
   */
  List<ByteBuffer> exchange(Call call);

  /** Makes a blocked {@link #exchange} on another thread end with CLOSED, soon. */
  void requestClose();

  /** Frees everything; called once, with no exchange in progress. */
  void release();
}
