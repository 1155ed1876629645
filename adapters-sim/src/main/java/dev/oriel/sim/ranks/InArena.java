package dev.oriel.sim.ranks;

import dev.oriel.ports.LocalBuffer;

/** A buffer that lies in a rank's arena. */
interface InArena {
  RankLane lane();

  /** Where it begins; throws if it is closed. */
  long base();

  /** Where those bytes of {@code buffer} begin in the arena of that lane. */
  static long at(LocalBuffer buffer, long offset, long length, RankLane lane) {
    if (buffer instanceof InArena own && own.lane().memory == lane.memory) {
      long base = own.base();
      check("buffer", offset, length, buffer.bytes());
      return base + offset;
    }
    throw new IllegalArgumentException(
        "buffer of another communicator: class=%s; pass a window or buffer of this rank"
            .formatted(buffer.getClass().getSimpleName()));
  }

  /** Throws unless {@code length} bytes from {@code offset} lie inside {@code bytes} of them. */
  static void check(String where, long offset, long length, long bytes) {
    if (offset < 0 || length < 0 || offset > bytes || length > bytes - offset) {
      throw new IndexOutOfBoundsException(
          "bytes out of bounds: %s, offset=%d, length=%d, bytes=%d; stay within its bytes"
              .formatted(where, offset, length, bytes));
    }
  }
}
