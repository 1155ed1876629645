package dev.oriel.domain.msccl;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The slots and counters of all connections. At each rank, buffer {@code chan3} has the slots of
 * what arrives on channel 3, those of sender 0 first.
 */
final class ConnectionMemory {
  static final String FULL = "full";
  static final String FREE = "free";
  static final String DONE = "done";
  private static final String CHANNEL = "chan";

  private final MscclPlan plan;
  private final long slotBytes;

  ConnectionMemory(MscclPlan plan, MscclVariant variant, int chunkBytes) {
    this.plan = plan;
    long data = (long) variant.mostChunks() * chunkBytes;
    this.slotBytes = packets().map(format -> format.image(data)).orElse(data);
  }

  Optional<PacketFormat> packets() {
    return plan.protocol().packets();
  }

  /** The transfers that a connection holds. */
  int slots() {
    return plan.protocol().slots();
  }

  List<Buffer> buffers() {
    List<Buffer> buffers = new ArrayList<>();
    for (int channel : usedChannels()) {
      long bytes = slotBytes * slots() * plan.world();
      buffers.add(new Buffer(Space.SCRATCH, CHANNEL + channel, Expr.of(bytes)));
    }
    return buffers;
  }

  List<SignalArray> signals() {
    List<SignalArray> signals = new ArrayList<>();
    List<Integer> used = usedChannels();
    if (!used.isEmpty()) {
      Expr channels = Expr.of(used.getLast() + 1L);
      if (packets().isEmpty()) {
        signals.add(new SignalArray(FULL, channels));
      }
      signals.add(new SignalArray(FREE, channels));
    }
    int blocks = plan.gpus().stream().mapToInt(gpu -> gpu.blocks().size()).max().orElse(0);
    if (blocks > 0) {
      signals.add(new SignalArray(DONE, Expr.of(blocks)));
    }
    return signals;
  }

  /** The channels on which some block sends or receives, in order. */
  private List<Integer> usedChannels() {
    return plan.gpus().stream()
        .flatMap(gpu -> gpu.blocks().stream())
        .filter(block -> block.send() >= 0 || block.receive() >= 0)
        .map(MscclPlan.ThreadBlock::channel)
        .distinct()
        .sorted()
        .toList();
  }

  /** The counter of full slots, shared with a peer. */
  Slot full(int channel, int peer) {
    return new Slot(FULL, Expr.of(channel), Peers.one(Expr.of(peer)));
  }

  /** The counter of slots that were freed, shared with a peer. */
  Slot free(int channel, int peer) {
    return new Slot(FREE, Expr.of(channel), Peers.one(Expr.of(peer)));
  }

  /** The sender's view of the slot for its next transfer, at the receiver. */
  Region sending(int from, int to, int channel, Expr transfer) {
    return receiving(from, channel, transfer).at(Expr.of(to));
  }

  /** The receiver's view of the slot with that transfer. */
  Region receiving(int from, int channel, Expr transfer) {
    Expr slotOffset = transfer.mod(Expr.of(slots())).times(slotBytes);
    Expr offset = from == 0 ? slotOffset : slotOffset.plus(slotBytes * slots() * from);
    Region slot = Region.of(CHANNEL + channel, offset);
    return packets().map(format -> slot.packets(format, Expr.nz32(transfer.plus(1)))).orElse(slot);
  }
}
