package dev.oriel.cuda.ptx;

import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.SignalArray;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Where a kernel finds a rank's memory, as offsets into two parts: one that peers reach, and one
 * that only the rank reaches.
 *
 * <pre>
 * reached  | buffers, each at 256 bytes | slots | two words for each lane |
 * own      | lane lines | status |
 * </pre>
 */
public final class RankLayout {
  private static final int ALIGNMENT = 256;

  private final RankProgram rank;
  private final Map<String, Long> buffers = new LinkedHashMap<>();
  private final Set<String> elsewhere;
  private final long slots;
  private final long sink;
  private final long reached;

  /**
   * The layout of a rank.
   *
   * @param elsewhere the buffers that have memory of their own and take no room here
   */
  public RankLayout(RankProgram rank, Set<String> elsewhere) {
    this.rank = rank;
    this.elsewhere = Set.copyOf(elsewhere);
    long at = 0;
    for (Buffer b : rank.program().form().buffers()) {
      buffers.put(b.name(), at);
      at = elsewhere.contains(b.name()) ? at : aligned(at + rank.bytes(b.name()));
    }
    slots = at;
    // At least one word: a read of the slots is posted even where there is no signal.
    sink = aligned(at + (long) Math.max(1, row()) * rank.program().world() * PtxKernel.LINE);
    reached = aligned(sink + (long) PtxKernel.SINK * rank.lanes().size());
  }

  private static long aligned(long offset) {
    return Math.ceilDiv(offset, ALIGNMENT) * ALIGNMENT;
  }

  /** The slots of one source. */
  private int row() {
    return rank.program().form().signals().stream().mapToInt(s -> rank.slots(s.name())).sum();
  }

  public RankProgram rank() {
    return rank;
  }

  /** The offset of a buffer in the part that peers reach. */
  public long buffer(String name) {
    Long offset = buffers.get(name);
    if (offset == null) {
      throw new IllegalArgumentException(
          "unknown buffer: name=%s, form=%s; known: %s"
              .formatted(name, rank.program().form().name(), String.join(", ", buffers.keySet())));
    }
    return offset;
  }

  /** The offset of the slots in the part that peers reach. */
  public long slots() {
    return slots;
  }

  /** The offset of the first lane's two words for returned values in the part that peers reach. */
  public long sink() {
    return sink;
  }

  /** Bytes of the part that peers reach. */
  public long reached() {
    return reached;
  }

  /** The offset of a lane's line in the rank's own part. */
  public static long lane(int instance) {
    return (long) instance * PtxKernel.LINE;
  }

  /** The offset of the status in the rank's own part; see {@link LaneStatus}. */
  public long status() {
    return lane(rank.lanes().size());
  }

  /** Bytes of the rank's own part. */
  public long own() {
    return status() + LaneStatus.BYTES;
  }

  /** The lane whose line begins at that offset of the rank's own part. */
  public String lane(long offset) {
    long instance = offset / PtxKernel.LINE;
    return offset >= 0 && instance < rank.lanes().size()
        ? rank.lanes().get((int) instance).label()
        : "?";
  }

  /** The memory at that offset of the part that peers reach, as a message names it. */
  public String reached(long offset) {
    if (offset >= slots && offset < sink) {
      return slot(offset - slots);
    }
    for (Map.Entry<String, Long> buffer : buffers.entrySet()) {
      long at = offset - buffer.getValue();
      String name = buffer.getKey();
      if (!elsewhere.contains(name) && at >= 0 && at < rank.bytes(name)) {
        return "%s[%d]".formatted(name, at);
      }
    }
    return "?";
  }

  private String slot(long offset) {
    long line = offset / PtxKernel.LINE;
    int row = Math.max(1, row());
    long index = line % row;
    for (SignalArray signal : rank.program().form().signals()) {
      int count = rank.slots(signal.name());
      if (index < count) {
        return "%s[%d] of rank %d".formatted(signal.name(), index, line / row);
      }
      index -= count;
    }
    return "?";
  }
}
