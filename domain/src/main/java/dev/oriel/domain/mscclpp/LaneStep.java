package dev.oriel.domain.mscclpp;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Op;
import java.util.List;
import java.util.Optional;

/** What a lane of a program does in each launch, in its order and without loops and conditions. */
sealed interface LaneStep {
  /** The operation of the program. */
  Op op();

  /**
   * Bytes of a buffer of one rank.
   *
   * @param offset the first byte; differs at most between even and odd launches
   * @param packets the format, if the bytes are packets
   */
  record Placed(int rank, String buffer, LaunchValue offset, Optional<PacketFormat> packets) {
    boolean plain() {
      return packets.isEmpty();
    }
  }

  /** Moves bytes; never none. */
  record Moved(Op op, List<Placed> to, Combine combine, List<Placed> from, long bytes)
      implements LaneStep {
    public Moved {
      to = List.copyOf(to);
      from = List.copyOf(from);
    }
  }

  /** The slot of a signal array of one rank that another rank signals. */
  record SlotOfPair(int from, int to, String signal, long index) {}

  /**
   * Signals a slot.
   *
   * @param adds whether the value is added
   */
  record Signalled(Op op, SlotOfPair slot, LaunchValue value, boolean adds) implements LaneStep {}

  /** Waits until a slot has at least that value. */
  record Awaited(Op op, SlotOfPair slot, LaunchValue value) implements LaneStep {}

  /** Orders all before it with all after it, in the lane. */
  record Ordered(Op op) implements LaneStep {}
}
