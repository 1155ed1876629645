package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import java.util.List;

/**
 * The state after a block: whether accesses may be unordered at its end, and which state words it
 * changed. It must agree with emission, or a loop's first barrier is missing or superfluous.
 */
final class BlockEffects {
  private BlockEffects() {}

  /** Whether accesses may be unordered after the block, given whether they may be before it. */
  static PendingAccesses after(List<Op> ops, PendingAccesses before) {
    PendingAccesses unordered = before;
    for (Op op : ops) {
      unordered = after(op, unordered);
    }
    return unordered;
  }

  private static PendingAccesses after(Op op, PendingAccesses before) {
    return switch (op) {
      case Op.Move m -> before.moved();
      case Op.Load l -> before.thenLoad();
      case Op.Store s -> before.thenStore();
      case Op.Signal s -> s.order() == Order.RELEASE ? before.met() : before;
      case Op.Await a -> PendingAccesses.NONE;
      case Op.AwaitTicket t -> before.met();
      case Op.Flush f -> before.met();
      case Op.Sync s -> PendingAccesses.NONE;
      case Op.Join j -> before.met();
      case Op.Let l -> before;
      case Op.Assign a -> before;
      case Op.Check c -> before;
      case Op.If branch -> after(branch.then(), before).or(after(branch.otherwise(), before));
      case Op.For loop -> before.or(after(loop.body(), before));
      case Op.Each each ->
          once(each.peers()) ? after(each.body(), before) : before.or(after(each.body(), before));
      case Op.Leader leader -> before;
      case Call c -> after(c, before);
    };
  }

  private static PendingAccesses after(Call call, PendingAccesses before) {
    return switch (call) {
      case Call.Put p ->
          met(
              p.blocking() || p.notice().isPresent() || p.counter().isPresent(),
              before.thenCall(false).moved());
      case Call.Get g -> met(g.blocking(), before.thenCall(true).moved());
      case Call.Change c ->
          c.result()
              .map(result -> met(result.blocking(), before.thenCall(true).thenStore()))
              .orElse(before.thenChange());
      case Call.Read r -> met(r.order() == Order.ACQUIRE, before);
      case Call.LoadStrong l -> met(l.order() == Order.ACQUIRE, before);
      case Call.StoreStrong s -> (s.order() == Order.RELEASE ? before.met() : before).thenStrong();
      case Call.Fence f -> PendingAccesses.NONE;
      case Call.MemoryFence f -> PendingAccesses.NONE;
      case Call.Bulk b -> before;
      case Call.AwaitBulk w -> PendingAccesses.NONE;
      case Call.OrderProxy f -> PendingAccesses.NONE;
      case Call.Quiet q -> PendingAccesses.NONE;
      case Call.Wait w -> PendingAccesses.NONE;
      case Call.Lock l -> PendingAccesses.NONE;
      case Call.Unlock u -> PendingAccesses.NONE;
      case Call.Meet m -> PendingAccesses.NONE;
    };
  }

  private static PendingAccesses met(boolean met, PendingAccesses before) {
    return met ? PendingAccesses.NONE : before;
  }

  private static boolean once(Peers peers) {
    return peers instanceof Peers.Self || peers instanceof Peers.One;
  }

  /** Whether the block changes a state word that the operand names. */
  static boolean changes(List<Op> ops, Expr operand) {
    return ops.stream()
        .anyMatch(op ->
            switch (op) {
              case Op.Assign(String state, Expr value) -> names(operand, state);
              case Op.If branch ->
                  changes(branch.then(), operand) || changes(branch.otherwise(), operand);
              case Op.For loop -> changes(loop.body(), operand);
              case Op.Each each -> changes(each.body(), operand);
              default -> false;
            });
  }

  private static boolean names(Expr operand, String state) {
    return switch (operand) {
      case Expr.Const c -> false;
      case Expr.Name(String name) -> name.equals(state);
      case Expr.NonZero32(Expr counter) -> names(counter, state);
      case Expr.Binary(var operator, Expr left, Expr right) ->
          names(left, state) || names(right, state);
    };
  }
}
