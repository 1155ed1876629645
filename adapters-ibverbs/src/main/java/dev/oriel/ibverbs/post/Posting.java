package dev.oriel.ibverbs.post;

import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.ports.MachineException;
import java.util.Optional;

/** Gives the posts of one lane the operands of the moment. */
public final class Posting {
  private final LaneNames names;
  private final SlotTable slots;

  public Posting(LaneNames names) {
    this.names = names;
    this.slots = new SlotTable(names.rank());
  }

  /**
   * What the post asks for; nothing if it would move no bytes. A failed lane moves no data any more
   * and still sends every signal that it promised.
   *
   * @throws MachineException if no request of ours does it, or an operand names what is not there
   */
  public Optional<Operation> operation(Micro.Post post, boolean failed) {
    if (post.fenced() || post.loose() || names.value(post.queue()) != 0) {
      throw unsupported(StepPrinter.print(post));
    }
    int peer = names.peer(post.peer());
    return switch (post.request()) {
      case Micro.Request.Write(var local, var remote, var bytes) ->
          failed || length(bytes) == 0
              ? Optional.empty()
              : Optional.of(
                  new Operation.Write(range(self(), local, bytes), range(peer, remote, bytes)));
      case Micro.Request.Read(var local, var remote, var bytes) ->
          failed || length(bytes) == 0
              ? Optional.empty()
              : Optional.of(
                  new Operation.Read(range(self(), local, bytes), range(peer, remote, bytes)));
      case Micro.Request.WriteSlot(var slot, var value, _, _) ->
          Optional.of(new Operation.SetSlot(word(peer, slot), names.value(value)));
      case Micro.Request.AddSlot(var slot, var value, _, _) ->
          Optional.of(new Operation.AddSlot(word(peer, slot), names.value(value)));
      case Micro.Request.ReadBack() -> Optional.of(new Operation.ReadBack(peer));
      case Micro.Request.OneSided r -> throw unsupported(r.toString());
    };
  }

  private MachineException unsupported(String what) {
    return new MachineException(
        "not posted yet: %s, operation=%s; use moves and signals".formatted(names.where(), what));
  }

  private long length(Expr bytes) {
    long length = names.value(bytes);
    if (length < 0) {
      throw new MachineException(
          "negative length: %s, length=%d; keep the operand of bytes at 0 or more"
              .formatted(names.where(), length));
    }
    return length;
  }

  private BufferRange range(int rank, Region region, Expr bytes) {
    return new BufferRange(rank, region.buffer(), names.value(region.offset()), names.value(bytes));
  }

  private SlotWord word(int owner, Slot slot) {
    return slots.word(owner, self(), slot.signal(), names.value(slot.index()));
  }

  private int self() {
    return names.rank().rank();
  }
}
