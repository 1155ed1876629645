package dev.oriel.sim.mutate;

import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Operator;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.rewrite.ExprEdits;
import dev.oriel.domain.rewrite.OperationPart;
import dev.oriel.domain.rewrite.PartTraversal;
import dev.oriel.domain.rewrite.RewriteSite;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** Mistakes in the values, places, ranks and sizes of an operation. */
enum OperandMutation implements Mutation.OfOperation {
  /** Stores, adds or awaits one more or one less. */
  VALUE_OFF_BY_ONE {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return each(spot, List.of(OperationPart.VALUE), OperandMutation::neighbours);
    }
  },

  /** Another lane of the family: its own index becomes the next one of the ring. */
  WRONG_LANE {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return spot.lane().indices().stream().flatMap(index -> swapped(spot, index));
    }

    private static Stream<Op> swapped(RewriteSite spot, LaneFamily.Index index) {
      Expr next = Expr.name(index.name()).plus(1).mod(index.count());
      return each(
          spot,
          OperationPart.OPERANDS,
          expr ->
              ExprEdits.uses(expr, index.name())
                  ? List.of(ExprEdits.substitute(expr, index.name(), next))
                  : List.of());
    }
  },

  /** The next or the previous slot, and the next one of the ring of all. */
  WRONG_SLOT {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return each(
          spot,
          List.of(OperationPart.SLOT),
          slot ->
              Stream.concat(neighbours(slot.index()).stream(), wrapped(spot, slot))
                  .map(index -> new Slot(slot.signal(), index, slot.at()))
                  .toList());
    }

    private static Stream<Expr> wrapped(RewriteSite spot, Slot slot) {
      return spot.form().signal(slot.signal()).stream()
          .map(array -> ExprEdits.plus(slot.index(), 1).mod(array.count()));
    }
  },

  /** The successor or predecessor of the intended rank. */
  WRONG_PEER {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return each(
          spot,
          List.of(OperationPart.PEERS),
          peers ->
              peers instanceof Peers.One(Expr rank)
                  ? neighbours(rank).stream().map(r -> Peers.one(r.mod(Expr.world()))).toList()
                  : List.of());
    }
  },

  /** The same half of a double buffer in every launch. */
  NO_PARITY {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return each(
          spot,
          OperationPart.OPERANDS,
          expr -> ExprEdits.variants(expr, e -> isParity(e) ? List.of(Expr.of(0)) : List.of()));
    }

    private static boolean isParity(Expr expr) {
      return expr instanceof Expr.Binary(Operator operator, var left, Expr.Const(long value))
          && value == (operator == Operator.AND ? 1 : 2)
          && (operator == Operator.AND || operator == Operator.MOD);
    }
  },

  /** A region that starts one element late. */
  SHIFTED_OFFSET {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      long element =
          spot.op() instanceof Op.Move m && m.combine() instanceof Combine.Reduce r
              ? r.type().bytes()
              : WORD;
      return each(
          spot, List.of(OperationPart.OFFSET), offset -> List.of(ExprEdits.plus(offset, element)));
    }
  },

  /** Only the first half of the bytes. */
  HALF_THE_BYTES {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return each(spot, List.of(OperationPart.BYTES), bytes -> List.of(bytes.over(Expr.of(2))));
    }
  },

  /** One iteration more or less. */
  WRONG_COUNT {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return each(spot, List.of(OperationPart.COUNT), OperandMutation::neighbours);
    }
  },

  /** A register, or a state word with which later launches start, is one more or less. */
  WORD_OFF_BY_ONE {
    @Override
    public Stream<Op> wrong(RewriteSite spot) {
      return each(spot, List.of(OperationPart.WORD), OperandMutation::neighbours);
    }
  };

  /** Bytes of a word, and of an element without a declared size. */
  private static final int WORD = 8;

  private static List<Expr> neighbours(Expr expr) {
    return List.of(ExprEdits.plus(expr, 1), ExprEdits.plus(expr, -1));
  }

  private static <T> Stream<Op> each(
      RewriteSite spot, List<OperationPart<T>> parts, Function<T, List<T>> wrong) {
    return PartTraversal.variants(spot.op(), parts, wrong).stream();
  }

  @Override
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
