package dev.oriel.sim.mutate;

import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.rewrite.RewriteSite;
import java.util.List;
import java.util.stream.Stream;

/**
 * A kind of mistake in an operation. Proposes forms that may be invalid and may equal one another;
 * {@link MutantGenerator} retains those that are distinct programs. A mutation works on the parts
 * that operations have in common, so it also applies to operations that it does not know.
 */
sealed interface Mutation
    permits Mutation.OfOperation,
        Mutation.MissingCredit,
        Mutation.Drop,
        Mutation.Swap,
        Mutation.SignalBeforeMove,
        Mutation.MovedState,
        Mutation.NoLock {

  /** A mutation that changes one operation itself. */
  sealed interface OfOperation extends Mutation
      permits OrderMutation, CallMutation, OperandMutation, SourceMutation, HookMutation {
    /** Possible wrong versions of the operation. */
    Stream<Op> wrong(RewriteSite spot);

    @Override
    default Stream<Form> at(RewriteSite spot) {
      return wrong(spot).map(op -> spot.replaced(List.of(op)));
    }
  }

  /** Every mutation. If two make the same program, the earlier one names it. */
  List<Mutation> ALL =
      Stream.of(
              List.of(new MissingCredit(), new Drop(), new NoLock()),
              List.of(OrderMutation.values()),
              List.of(CallMutation.values()),
              List.of(new SignalBeforeMove(), new MovedState(), new Swap()),
              List.of(OperandMutation.values()),
              List.of(SourceMutation.values()),
              List.of(HookMutation.values()))
          .<Mutation>flatMap(List::stream)
          .toList();

  /** The name of the mistake, in words joined by hyphens. */
  String id();

  /** Every form in which the mistake is made at this operation. */
  Stream<Form> at(RewriteSite spot);

  /**
   * Does not wait until a peer has drained the bytes that the next move overwrites: drops an await
   * of the same ranks to which a later move of the same block writes.
   */
  record MissingCredit() implements Mutation {
    @Override
    public String id() {
      return "missing-credit";
    }

    @Override
    public Stream<Form> at(RewriteSite spot) {
      boolean gates =
          spot.op() instanceof Op.Await a
              && spot.block().stream()
                  .skip(spot.at())
                  .anyMatch(op ->
                      op instanceof Op.Move m
                          && m.destinations().stream().anyMatch(d -> d.at().equals(a.slot().at())));
      return gates ? Stream.of(spot.replaced(List.of())) : Stream.of();
    }
  }

  /** Leaves an operation out, unless it only names or bounds a value. */
  record Drop() implements Mutation {
    @Override
    public String id() {
      return "drop";
    }

    @Override
    public Stream<Form> at(RewriteSite spot) {
      return switch (spot.op()) {
        case Op.Let l -> Stream.of();
        case Op.Load l -> Stream.of();
        case Op.Check c -> Stream.of();
        case Op.If f -> Stream.of();
        case Op.For f -> Stream.of();
        case Op.Each e -> Stream.of();
        case Op.Leader l -> Stream.of();
        default -> Stream.of(spot.replaced(List.of()));
      };
    }
  }

  /** Exchanges two neighbours. */
  record Swap() implements Mutation {
    @Override
    public String id() {
      return "swap";
    }

    @Override
    public Stream<Form> at(RewriteSite spot) {
      return spot.at() + 1 < spot.block().size()
          ? Stream.of(spot.moved(spot.at() + 1))
          : Stream.of();
    }
  }

  /** Signals before the nearest move that the signal announces. */
  record SignalBeforeMove() implements Mutation {
    @Override
    public String id() {
      return "signal-before-move";
    }

    @Override
    public Stream<Form> at(RewriteSite spot) {
      if (spot.op() instanceof Op.Signal) {
        for (int i = spot.at() - 1; i >= 0; i--) {
          if (spot.block().get(i) instanceof Op.Move) {
            return Stream.of(spot.moved(i));
          }
        }
      }
      return Stream.of();
    }
  }

  /** Changes a state word too early or too late: at the start or the end of its block. */
  record MovedState() implements Mutation {
    @Override
    public String id() {
      return "moved-state";
    }

    @Override
    public Stream<Form> at(RewriteSite spot) {
      return spot.op() instanceof Op.Assign
          ? Stream.of(spot.moved(0), spot.moved(spot.block().size() - 1))
          : Stream.of();
    }
  }

  /** Removes a lock: drops it and the next unlock of the same word in its block. */
  record NoLock() implements Mutation {
    @Override
    public String id() {
      return "no-lock";
    }

    @Override
    public Stream<Form> at(RewriteSite spot) {
      if (spot.op() instanceof Call.Lock(var word, var scope)) {
        int unlock = spot.block().indexOf(new Call.Unlock(word, scope));
        if (unlock > spot.at()) {
          List<Op> without = FormEdits.without(spot.block(), unlock, 1);
          return Stream.of(spot.with(FormEdits.without(without, spot.at(), 1)));
        }
      }
      return Stream.of();
    }
  }
}
