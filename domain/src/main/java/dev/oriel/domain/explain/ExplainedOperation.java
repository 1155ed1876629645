package dev.oriel.domain.explain;

import dev.oriel.domain.program.Op;
import dev.oriel.domain.window.Comparison;
import java.util.List;

/**
 * One operation that a lane executes, with the current values of its operands.
 *
 * @param text the operation as its program writes it, with those values
 * @param written the bytes that it writes, own memory included
 * @param changed the slots that it changes
 * @param awaited the actions of other lanes that it waits for
 */
record ExplainedOperation(
    Op op,
    String text,
    List<WrittenBytes> written,
    List<SlotChange> changed,
    List<AwaitedAction> awaited) {
  ExplainedOperation {
    written = List.copyOf(written);
    changed = List.copyOf(changed);
    awaited = List.copyOf(awaited);
  }

  /** Bytes {@code from} up to but not including {@code to} of a rank's buffer. */
  record WrittenBytes(int rank, String buffer, long from, long to, boolean packets) {
    boolean meets(AwaitedAction.Packets wanted) {
      return packets && buffer.equals(wanted.buffer) && from < wanted.to && wanted.from < to;
    }
  }

  /** A slot at a rank, set to a value or changed by it. */
  record SlotChange(String signal, long index, int at, long value, boolean adds) {}

  /** The condition that a lane waits for. */
  sealed interface AwaitedAction {
    /** A slot of one source's row; {@code sum} if it is added to those of other sources. */
    record Slot(
        String signal, long index, int source, Comparison comparison, long value, boolean sum)
        implements AwaitedAction {}

    /** Packets in own memory, from any writer. */
    record Packets(String buffer, long from, long to) implements AwaitedAction {}
  }
}
