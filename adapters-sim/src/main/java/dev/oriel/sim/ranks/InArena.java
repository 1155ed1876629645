package dev.oriel.sim.ranks;

import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.setup.Spans;

/** A buffer that lies in a rank's arena. */
interface InArena {
  RankLane lane();

  /** Where it begins; throws if it is closed. */
  long base();

  /** Where those bytes of {@code buffer} begin in the arena of that lane. */
  static long at(LocalBuffer buffer, long offset, long length, RankLane lane) {
    if (buffer instanceof InArena own && own.lane().memory == lane.memory) {
      long base = own.base();
      Spans.check("buffer", offset, length, buffer.bytes());
      return base + offset;
    }
    throw new IllegalArgumentException(
        "buffer of another communicator: class=%s; pass a window or buffer of this rank"
            .formatted(buffer.getClass().getSimpleName()));
  }
}
