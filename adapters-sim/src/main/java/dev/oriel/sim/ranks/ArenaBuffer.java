package dev.oriel.sim.ranks;

import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.setup.SpanChecks;

/** A buffer inside a rank's arena. */
interface ArenaBuffer {
  RankLane lane();

  /** The buffer's first byte in the arena; throws if the buffer is closed. */
  long base();

  /** The first of those bytes of {@code buffer} in the arena of that lane. */
  static long at(LocalBuffer buffer, long offset, long length, RankLane lane) {
    if (buffer instanceof ArenaBuffer own && own.lane().memory == lane.memory) {
      long base = own.base();
      SpanChecks.check("buffer", offset, length, buffer.bytes());
      return base + offset;
    }
    throw new IllegalArgumentException(
        "buffer of another communicator: class=%s; pass a window or buffer of this rank"
            .formatted(buffer.getClass().getSimpleName()));
  }
}
