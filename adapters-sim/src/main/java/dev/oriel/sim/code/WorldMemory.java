package dev.oriel.sim.code;

import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.ports.MachineException;
import java.util.List;

/** The total memory of the ranks of a world, since a state numbers all its bytes. */
final class WorldMemory {
  private static final long MAX = Integer.MAX_VALUE;

  private WorldMemory() {}

  /**
   * Refuses a world with too many bytes to number, before anything else is built from it.
   *
   * @throws MachineException with their number
   */
  static void require(List<Buffer> buffers, List<RankProgram> ranks) {
    long all = 0;
    for (RankProgram rank : ranks) {
      for (Buffer buffer : buffers) {
        long bytes = buffer.isAlias() ? 0 : rank.bytes(buffer.name());
        all += Math.min(bytes, Long.MAX_VALUE - all);
      }
    }
    if (all > MAX) {
      throw MachineException.lacking(
          "world too large for memory of every rank: ranks=%d, bytes=%d, max=%d; use fewer ranks or smaller parameters"
              .formatted(ranks.size(), all, MAX));
    }
  }
}
