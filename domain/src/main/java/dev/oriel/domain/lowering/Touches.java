package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import java.util.List;

/**
 * What a block leaves behind: whether accesses may be unordered at its end, and which state words
 * it changed. Emission must agree with it, or a loop's first barrier is missing or one too many.
 */
final class Touches {
  private Touches() {}

  /** Whether accesses may be unordered after the block, given whether they may be before it. */
  static boolean after(List<Op> ops, boolean before) {
    boolean touched = before;
    for (Op op : ops) {
      touched = after(op, touched);
    }
    return touched;
  }

  private static boolean after(Op op, boolean before) {
    return switch (op) {
      case Op.Move m -> true;
      case Op.Load l -> true;
      case Op.Store s -> true;
      case Op.Signal s -> s.order() != Order.RELEASE && before;
      case Op.Await a -> false;
      case Op.AwaitTicket t -> false;
      case Op.Flush f -> false;
      case Op.Sync s -> false;
      case Op.Join j -> false;
      case Op.Let l -> before;
      case Op.Assign a -> before;
      case Op.Check c -> before;
      case Op.If branch -> after(branch.then(), before) || after(branch.otherwise(), before);
      case Op.For loop -> before || after(loop.body(), before);
      case Op.Each each ->
          once(each.peers()) ? after(each.body(), before) : before || after(each.body(), before);
      case Call c -> after(c, before);
    };
  }

  private static boolean after(Call call, boolean before) {
    return switch (call) {
      case Call.Put p -> !p.blocking() && p.notice().isEmpty();
      case Call.Get g -> !g.blocking();
      case Call.Change c -> c.result().map(result -> !result.blocking()).orElse(before);
      case Call.Read r -> before && r.order() == Order.RELAXED;
      case Call.LoadStrong l -> before && l.order() == Order.RELAXED;
      case Call.StoreStrong s -> before && s.order() == Order.RELAXED;
      case Call.Fence f -> false;
      case Call.Quiet q -> false;
      case Call.Wait w -> false;
      case Call.Lock l -> false;
      case Call.Unlock u -> false;
      case Call.Meet m -> false;
    };
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
