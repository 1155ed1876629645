package dev.oriel.ibverbs.post;

import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Resolves the posts of one lane to operations with present values. */
public final class Posting {
  private final LaneNames names;
  private final SlotTable slots;

  public Posting(LaneNames names) {
    this.names = names;
    this.slots = new SlotTable(names.rank());
  }

  /**
   * The operations of a post, in order. There are none if it would move no bytes, or only arranges:
   * a queue keeps the order of its writes. There are none for locks and counts either, and the old
   * word of a set is left out: callers make these by other means. A failed lane makes no call and
   * moves no more data, but still sends every signal that it promised.
   *
   * @throws MachineException if an operand names a rank or memory that does not exist
   */
  public List<Operation> operations(Micro.Post post, boolean failed) {
    int peer = names.peer(post.peer());
    return switch (post.request()) {
      case Micro.Request.Write(var local, var remote, var bytes) ->
          failed ? List.of() : write(peer, local, remote, bytes);
      case Micro.Request.Read(var local, var remote, var bytes) ->
          failed || length(bytes) == 0
              ? List.of()
              : List.of(
                  new Operation.Read(range(self(), local, bytes), range(peer, remote, bytes)));
      case Micro.Request.WriteSlot(var slot, var value, _, _) ->
          List.of(signal(peer, slot, Change.SET, value));
      case Micro.Request.AddSlot(var slot, var value, _, _) ->
          List.of(signal(peer, slot, Change.ADD, value));
      case Micro.Request.ReadBack() -> List.of(new Operation.ReadBack(peer));
      case Micro.Request.WriteAndSignal w -> {
        List<Operation> both = new ArrayList<>();
        if (!failed) {
          both.addAll(write(peer, w.local(), w.remote(), w.bytes()));
        }
        both.add(signal(peer, w.slot(), w.change(), w.value()));
        yield both;
      }
      case Micro.Request.ChangeWord c -> failed ? List.of() : List.of(change(peer, c));
      case Micro.Request.Arrange _, Micro.Request.Lock _, Micro.Request.Count _ -> List.of();
    };
  }

  private List<Operation> write(int peer, Region local, Region remote, Expr bytes) {
    return length(bytes) == 0
        ? List.of()
        : List.of(new Operation.Write(range(self(), local, bytes), range(peer, remote, bytes)));
  }

  private Operation signal(int peer, Slot slot, Change change, Expr value) {
    return change == Change.SET
        ? new Operation.SetSlot(word(peer, slot), names.value(value))
        : new Operation.AddSlot(word(peer, slot), names.value(value));
  }

  private Operation change(int peer, Micro.Request.ChangeWord c) {
    Optional<BufferRange> old = c.result().map(result -> word(self(), result));
    BufferRange word = word(peer, c.word());
    return switch (c.change()) {
      case FETCH -> new Operation.AddWord(old, word, 0);
      case ADD -> new Operation.AddWord(old, word, names.value(c.operand()));
      case CAS ->
          new Operation.SwapWord(old, word, names.value(c.compare()), names.value(c.operand()));
      case SET -> new Operation.SetWord(word, names.value(c.operand()));
    };
  }

  /** The word of that rank that a region names. */
  public BufferRange word(int rank, Region region) {
    return new BufferRange(rank, region.buffer(), names.value(region.offset()), Long.BYTES);
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
