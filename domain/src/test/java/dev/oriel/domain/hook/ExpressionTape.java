package dev.oriel.domain.hook;

import dev.oriel.domain.data.DataType;
import java.util.List;

/** Builds a well-typed hook from a list of numbers, so that shrinking the list shrinks the hook. */
public final class ExpressionTape {

  private static final DataType[] TYPES = DataType.values();
  private static final DataType[] WIDE = {
    DataType.INT32, DataType.INT64, DataType.FP32, DataType.FP64
  };

  private final List<Integer> tape;
  private final List<HookSource> sources;
  private int at;

  private ExpressionTape(List<Integer> tape) {
    this.tape = tape;
    this.sources =
        List.of(
            HookSource.of(pick(TYPES)),
            new HookSource(pick(TYPES), map()),
            new HookSource(pick(TYPES), new IndexMap.Gather(3, 5, 2)),
            new HookSource(DataType.INT32, map()));
  }

  /** The hook that the numbers encode. */
  public static Hook hook(List<Integer> tape) {
    ExpressionTape builder = new ExpressionTape(tape);
    HookExpr value = builder.any(5);
    IndexMap.Fixed target = builder.next(2) == 0 ? IndexMap.IDENTITY : new IndexMap.Transpose(2, 3);
    return Hook.of("h", builder.sources, value).into(target);
  }

  private int next(int bound) {
    return at < tape.size() ? Math.floorMod(tape.get(at++), bound) : 0;
  }

  private <T> T pick(T[] choices) {
    return choices[next(choices.length)];
  }

  private IndexMap.Fixed map() {
    return switch (next(5)) {
      case 0 -> IndexMap.IDENTITY;
      case 1 -> new IndexMap.Affine(next(9), next(3) - 1);
      case 2 -> new IndexMap.Blocks(1 + next(4));
      case 3 -> new IndexMap.Transpose(1 + next(3), 1 + next(3));
      default -> new IndexMap.Permutation(List.of(2, 0, 1));
    };
  }

  private HookExpr any(int depth) {
    return next(2) == 0 ? computed(pick(WIDE), depth) : leaf(pick(TYPES), depth);
  }

  /** A conversion, a select or a constant: available for types of any width. */
  private HookExpr leaf(DataType type, int depth) {
    if (depth == 0 || next(3) == 0) {
      return new HookExpr.Const(type, (long) next(Integer.MAX_VALUE) << next(33));
    }
    return next(2) == 0 ? new HookExpr.Cvt(type, any(depth - 1)) : select(type, depth - 1);
  }

  private HookExpr select(DataType type, int depth) {
    DataType compared = pick(WIDE);
    Relation relation = pick(Relation.values());
    return HookExpr.select(
        computed(compared, depth),
        relation,
        computed(compared, depth),
        leaf(type, depth),
        leaf(type, depth));
  }

  private HookExpr computed(DataType type, int depth) {
    if (depth == 0) {
      return simple(type);
    }
    return switch (next(5)) {
      case 0 -> leaf(type, depth);
      case 1 -> simple(type);
      case 2 -> unary(type, depth - 1);
      case 3 -> binary(type, depth - 1);
      default ->
          type.isFloat()
              ? HookExpr.fma(
                  computed(type, depth - 1), computed(type, depth - 1), computed(type, depth - 1))
              : binary(type, depth - 1);
    };
  }

  private HookExpr unary(DataType type, int depth) {
    UnaryOp op = pick(UnaryOp.values());
    return computed(type, depth).with(op.isBitwise() && type.isFloat() ? UnaryOp.NEG : op);
  }

  private HookExpr binary(DataType type, int depth) {
    BinaryOp op = pick(BinaryOp.values());
    BinaryOp fitting = op.isIntegersOnly() && type.isFloat() ? BinaryOp.SUB : op;
    return computed(type, depth).with(fitting, computed(type, depth));
  }

  private HookExpr simple(DataType type) {
    return switch (next(3)) {
      case 0 -> HookExpr.index().to(type);
      case 1 -> HookExpr.field(pick(ContextField.values())).to(type);
      default -> {
        int source = next(4);
        yield HookExpr.in(source, sources.get(source).type()).to(type);
      }
    };
  }
}
