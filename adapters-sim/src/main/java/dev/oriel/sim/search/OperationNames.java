package dev.oriel.sim.search;

import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.rewrite.OperationPart;
import dev.oriel.domain.rewrite.OperationRewrite;
import dev.oriel.domain.rewrite.PartTraversal;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What an operation is for: the signals and buffers that it writes, reads or waits for. */
final class OperationNames {
  private OperationNames() {}

  /** The same operation without its operands and blocks, so that equal kinds are equal. */
  static Op kind(Op op) {
    return PartTraversal.rewrite(
        op,
        new OperationRewrite() {
          @Override
          public <T> T part(OperationPart<T> part, T value) {
            return value instanceof Expr ? part.type().cast(Expr.of(0)) : value;
          }

          @Override
          public List<Op> block(List<Op> ops) {
            return List.of();
          }
        });
  }

  /** The signals and buffers that it writes. */
  static Set<String> written(Op op) {
    Set<String> names = new TreeSet<>();
    PartTraversal.all(op, OperationPart.DESTINATION).stream()
        .map(Region::buffer)
        .forEach(names::add);
    if (op instanceof Op.Signal signal) {
      names.add(signal.slot().signal());
    }
    if (op instanceof Call.Put put) {
      put.notice().map(Call.Notify::signal).ifPresent(names::add);
    }
    return names;
  }

  /** The buffers that it reads, and the signals that it waits for or reads. */
  static Set<String> read(Op op) {
    Set<String> names = new TreeSet<>();
    PartTraversal.all(op, OperationPart.SOURCE).stream().map(Region::buffer).forEach(names::add);
    if (!(op instanceof Op.Signal)) {
      PartTraversal.all(op, OperationPart.SLOT).stream().map(Slot::signal).forEach(names::add);
    }
    if (op instanceof Call.Change || op instanceof Call.Lock) {
      names.addAll(written(op));
    }
    return names;
  }

  /** Whether it moves data, reads it into a register or changes it. */
  static boolean ofData(Op op) {
    return switch (op) {
      case Op.Move _, Op.Load _, Op.Store _ -> true;
      case Call.Put _, Call.Get _, Call.Change _, Call.Bulk _ -> true;
      case Call.LoadStrong _, Call.StoreStrong _ -> true;
      default -> false;
    };
  }

  /** Whether it orders other operations. */
  static boolean synchronises(Op op) {
    return switch (op) {
      case Op.Signal _, Op.Await _, Op.AwaitTicket _, Op.Flush _, Op.Sync _, Op.Join _ -> true;
      case Call.Put put -> put.notice().isPresent() || put.counter().isPresent();
      case Call.Fence _, Call.MemoryFence _, Call.AwaitBulk _, Call.OrderProxy _ -> true;
      case Call.Quiet _, Call.Wait _, Call.Read _, Call.LoadStrong _, Call.StoreStrong _ -> true;
      case Call.Lock _, Call.Unlock _, Call.Meet _ -> true;
      default -> false;
    };
  }

  /** Whether it orders other operations and waits for no other lane: no deadlock depends on it. */
  static boolean ordersOnly(Op op) {
    return switch (op) {
      case Op.Sync _, Call.Fence _, Call.MemoryFence _, Call.OrderProxy _ -> true;
      default -> false;
    };
  }

  /** Whether it waits for a word that others change. */
  static boolean waits(Op op) {
    return switch (op) {
      case Op.Await _, Call.Wait _, Call.Read _, Call.LoadStrong _, Call.Lock _ -> true;
      default -> false;
    };
  }
}
