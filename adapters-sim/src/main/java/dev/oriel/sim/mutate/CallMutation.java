package dev.oriel.sim.mutate;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.rewrite.OperationPart;
import dev.oriel.domain.rewrite.PartTraversal;
import dev.oriel.domain.rewrite.RewriteSite;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Mistakes that are specific to one-sided calls. */
enum CallMutation implements Mutation.OfOperation {
  /** Returns before its own operands may be reused. */
  NOT_BLOCKING {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return switch (spot.op()) {
        case Call.Put p when p.blocking() -> Stream.of(p.blocking(false));
        case Call.Get g when g.blocking() ->
            Stream.of(new Call.Get(g.to(), g.from(), g.extent(), g.context(), false));
        case Call.Change c ->
            c.result().filter(Call.Result::blocking).stream()
                .map(r -> changed(c, Optional.of(new Call.Result(r.into(), false)), c.change()));
        default -> Stream.of();
      };
    }
  },

  /** The next context: a call, a fence or a quiet of another stream than intended. */
  WRONG_CONTEXT {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return PartTraversal.variants(
          spot.op(), List.of(OperationPart.CONTEXT), c -> List.of(next(c)))
          .stream();
    }

    private static Expr next(Expr context) {
      return context instanceof Expr.Const(long number)
          ? Expr.of((number + 1) % Call.CONTEXTS)
          : context.plus(1).mod(Expr.of(Call.CONTEXTS));
    }
  },

  /** A put without its signal. */
  NO_NOTICE {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return spot.op() instanceof Call.Put p && p.notice().isPresent()
          ? Stream.of(
              new Call.Put(
                  p.to(),
                  p.from(),
                  p.extent(),
                  Optional.empty(),
                  p.counter(),
                  p.context(),
                  p.blocking()))
          : Stream.of();
    }
  },

  /** Orders calls where their completion must be awaited. */
  FENCE_FOR_QUIET {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return spot.op() instanceof Call.Quiet(Expr context)
          ? Stream.of(new Call.Fence(context))
          : Stream.of();
    }
  },

  /** Synchronises the ranks without completing earlier puts. */
  MEET_FOR_BARRIER {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return spot.op() instanceof Call.Meet(String barrier, boolean quiet) && quiet
          ? Stream.of(new Call.Meet(barrier, false))
          : Stream.of();
    }
  },

  /** Stores instead of adding, so one of two additions is lost. */
  SET_FOR_ADD {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return spot.op() instanceof Call.Change c && c.change() == Atomic.ADD
          ? Stream.of(changed(c, c.result(), Atomic.SET))
          : Stream.of();
    }
  };

  private static Call.Change changed(Call.Change c, Optional<Call.Result> result, Atomic change) {
    return new Call.Change(result, c.word(), change, c.operand(), c.compare(), c.context());
  }

  @Override
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
