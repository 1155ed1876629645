package dev.oriel.sim.mutate;

import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Op.Flush.Reach;
import dev.oriel.domain.program.Op.Signal.Cover;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.rewrite.OperationPart;
import dev.oriel.domain.rewrite.PartTraversal;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.domain.window.Comparison;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** Mistakes in the accesses that an operation orders, waits for or covers. */
enum OrderMutation implements Mutation.OfOperation {
  /** No longer orders the accesses that it covers. */
  RELAXED_ORDER {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return each(
          spot,
          OperationPart.ORDER,
          order ->
              switch (order) {
                case RELAXED -> List.of();
                case RELEASE, ACQUIRE -> List.of(Order.RELAXED);
                case ACQ_REL -> List.of(Order.ACQUIRE, Order.RELEASE, Order.RELAXED);
              });
    }
  },

  /** Orders only agents of one GPU, or only threads of one block instead of a cluster. */
  NARROW_SCOPE {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return each(spot, OperationPart.SCOPE, OrderMutation::narrower);
    }
  },

  /** Sums the slots of several sources, so one source's signals hide another's absence. */
  SUM_OF_SOURCES {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      boolean several =
          PartTraversal.all(spot.op(), OperationPart.PEERS).stream()
              .anyMatch(p -> p instanceof Peers.Others || p instanceof Peers.All);
      return several
          ? each(
              spot,
              OperationPart.QUANTIFIER,
              q -> q == Quantifier.EACH ? List.of(Quantifier.SUM) : List.of())
          : Stream.of();
    }
  },

  /** Compares strictly where equal is enough, or the other way round. */
  WRONG_COMPARISON {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return each(
          spot,
          OperationPart.COMPARISON,
          comparison ->
              switch (comparison) {
                case EQ -> List.of(Comparison.NE, Comparison.GE);
                case NE -> List.of(Comparison.EQ);
                case LT -> List.of(Comparison.LE);
                case LE -> List.of(Comparison.LT);
                case GT -> List.of(Comparison.GE);
                case GE -> List.of(Comparison.GT);
                case REACHED -> List.of(Comparison.GE, Comparison.EQ);
              });
    }
  },

  /** Covers one move of the block instead of all accesses of the lane. */
  COVER_ONE_MOVE {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      List<Cover> tickets =
          spot.block().stream()
              .limit(spot.at())
              .<Cover>mapMulti((op, sink) -> {
                if (op instanceof Op.Move m && !m.ticket().isEmpty()) {
                  sink.accept(new Cover.OneMove(m.ticket()));
                }
              })
              .toList();
      return each(spot, OperationPart.COVER, c -> c instanceof Cover.Lane ? tickets : List.of());
    }
  },

  /** Waits until sources may be overwritten, where peers must see the bytes. */
  LOCAL_FLUSH {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return each(
          spot, OperationPart.REACH, r -> r == Reach.REMOTE ? List.of(Reach.LOCAL) : List.of());
    }
  };

  private static List<Scope> narrower(Scope scope) {
    return switch (scope) {
      case SYS -> List.of(Scope.GPU);
      case CLUSTER -> List.of(Scope.CTA);
      case GPU, CTA -> List.of();
    };
  }

  private static <T> Stream<Op> each(
      RewriteSite spot, OperationPart<T> part, Function<T, List<T>> wrong) {
    return PartTraversal.variants(spot.op(), List.of(part), wrong).stream();
  }

  @Override
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
