package dev.oriel.ibverbs.post;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Resolves the posts of one lane to operations with present values. */
public final class PostResolver {
  private final LaneNames names;
  private final NicSlotLayout slots;

  public PostResolver(LaneNames names) {
    this.names = names;
    this.slots = new NicSlotLayout(names.rank());
  }

  /**
   * The operations of a post, in order. There are none if it would move no bytes, or only arranges:
   * a queue keeps the order of its writes. There are none for locks and counts either, and the old
   * word of a set is left out: callers make these by other means. A failed lane makes no call and
   * moves no more data, but still sends every signal that it promised.
   *
   * @throws MachineException if an operand names a rank or memory that does not exist
   */
  public List<PostOperation> operations(MicroOperation.Post post, boolean failed) {
    int peer = names.peer(post.peer());
    return switch (post.request()) {
      case MicroOperation.Request.Write(var local, var remote, var bytes) ->
          failed ? List.of() : write(peer, local, remote, bytes);
      case MicroOperation.Request.Read(var local, var remote, var bytes) ->
          failed || length(bytes) == 0
              ? List.of()
              : List.of(
                  new PostOperation.Read(range(self(), local, bytes), range(peer, remote, bytes)));
      case MicroOperation.Request.WriteSlot(var slot, var value, _, _) ->
          List.of(signal(peer, slot, Change.SET, value));
      case MicroOperation.Request.AddSlot(var slot, var value, _, _) ->
          List.of(signal(peer, slot, Change.ADD, value));
      case MicroOperation.Request.ReadBack() -> List.of(new PostOperation.ReadBack(peer));
      case MicroOperation.Request.WriteAndSignal w -> {
        List<PostOperation> both = new ArrayList<>();
        if (!failed) {
          both.addAll(write(peer, w.local(), w.remote(), w.bytes()));
        }
        both.add(signal(peer, w.slot(), w.change(), w.value()));
        yield both;
      }
      case MicroOperation.Request.ChangeWord c -> failed ? List.of() : List.of(change(peer, c));
      case MicroOperation.Request.PlacementFence _,
          MicroOperation.Request.Lock _,
          MicroOperation.Request.Count _ ->
          List.of();
    };
  }

  private List<PostOperation> write(int peer, Region local, Region remote, Expr bytes) {
    return length(bytes) == 0
        ? List.of()
        : List.of(new PostOperation.Write(range(self(), local, bytes), range(peer, remote, bytes)));
  }

  private PostOperation signal(int peer, Slot slot, Change change, Expr value) {
    return change == Change.SET
        ? new PostOperation.SetSlot(word(peer, slot), names.value(value))
        : new PostOperation.AddSlot(word(peer, slot), names.value(value));
  }

  private PostOperation change(int peer, MicroOperation.Request.ChangeWord c) {
    Optional<BufferRange> old = c.result().map(result -> word(self(), result));
    BufferRange word = word(peer, c.word());
    return switch (c.change()) {
      case FETCH -> new PostOperation.AddWord(old, word, 0);
      case ADD -> new PostOperation.AddWord(old, word, names.value(c.operand()));
      case CAS ->
          new PostOperation.SwapWord(old, word, names.value(c.compare()), names.value(c.operand()));
      case SET -> new PostOperation.SetWord(word, names.value(c.operand()));
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
