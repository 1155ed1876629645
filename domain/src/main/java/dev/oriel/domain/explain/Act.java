package dev.oriel.domain.explain;

import dev.oriel.domain.program.Op;
import dev.oriel.domain.window.Comparison;
import java.util.List;

/**
 * One operation that a lane executes, with the values that its operands have then.
 *
 * @param text the operation as its program writes it, with those values
 * @param written what it writes, own memory included
 * @param told the slots that it changes
 * @param awaited what it waits for that somebody else does
 */
record Act(Op op, String text, List<Written> written, List<Told> told, List<Awaited> awaited) {
  Act {
    written = List.copyOf(written);
    told = List.copyOf(told);
    awaited = List.copyOf(awaited);
  }

  /** Bytes {@code from} up to but not including {@code to} of a rank's buffer. */
  record Written(int rank, String buffer, long from, long to, boolean packets) {
    boolean meets(Awaited.Packets wanted) {
      return packets && buffer.equals(wanted.buffer) && from < wanted.to && wanted.from < to;
    }
  }

  /** A slot at a rank, set to a value or changed by it. */
  record Told(String signal, long index, int at, long value, boolean adds) {}

  /** What a lane waits for. */
  sealed interface Awaited {
    /** A slot of one source's row; {@code sum} if it counts with those of other sources. */
    record Slot(
        String signal, long index, int source, Comparison comparison, long value, boolean sum)
        implements Awaited {}

    /** Packets in own memory, of whoever writes them. */
    record Packets(String buffer, long from, long to) implements Awaited {}
  }
}
