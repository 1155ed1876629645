package dev.oriel.cuda;

import dev.oriel.cuda.ptx.Kernel;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One rank's memory on its GPU, in one run, as it is mapped here.
 *
 * <pre>
 * | buffers, each at 256 bytes | slots | lane lines | status |
 * </pre>
 */
final class RankMemory {
  private static final int ALIGNMENT = 256;

  private final RankProgram rank;
  private final Map<String, Long> offsets = new LinkedHashMap<>();
  private final long slots;
  private final long lanes;
  private final long status;
  private final long base;
  private final long end;

  /**
   * @param base where it is mapped
   */
  RankMemory(RankProgram rank, long base) {
    this.base = base;
    this.rank = rank;
    int world = rank.program().world();
    long at = 0;
    for (Buffer b : rank.program().form().buffers()) {
      offsets.put(b.name(), at);
      at = aligned(at + rank.bytes(b.name()));
    }
    slots = at;
    int row = rank.program().form().signals().stream().mapToInt(s -> rank.slots(s.name())).sum();
    at = aligned(at + (long) row * world * Kernel.LINE);
    lanes = at;
    at = aligned(at + (long) rank.lanes().size() * Kernel.LINE);
    status = at;
    end = at + Long.BYTES;
  }

  /** How many bytes a rank's memory takes. */
  static long bytes(RankProgram rank) {
    return new RankMemory(rank, 0).end;
  }

  private static long aligned(long offset) {
    return Math.ceilDiv(offset, ALIGNMENT) * ALIGNMENT;
  }

  RankProgram rank() {
    return rank;
  }

  long buffer(String name) {
    Long offset = offsets.get(name);
    if (offset == null) {
      throw new IllegalArgumentException(
          "unknown buffer: name=%s, form=%s; known: %s"
              .formatted(name, rank.program().form().name(), String.join(", ", offsets.keySet())));
    }
    return base + offset;
  }

  /** The address of {@code length} bytes inside a buffer. */
  long checked(String name, long offset, int length) {
    long start = buffer(name);
    long size = rank.bytes(name);
    if (offset < 0 || length < 0 || offset > size - length) {
      throw new IndexOutOfBoundsException(
          "bytes outside the buffer: rank=%d, buffer=%s, offset=%d, length=%d, size=%d; stay inside"
              .formatted(rank.rank(), name, offset, length, size));
    }
    return start + offset;
  }

  long slots() {
    return base + slots;
  }

  long lane(int instance) {
    return base + lanes + (long) instance * Kernel.LINE;
  }

  long status() {
    return base + status;
  }
}
