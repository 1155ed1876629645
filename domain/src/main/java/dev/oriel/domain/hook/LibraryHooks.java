package dev.oriel.domain.hook;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import java.util.List;

/** The hooks that the library provides. */
public final class LibraryHooks {

  private LibraryHooks() {}

  /** Copies every element unchanged, NaN payloads included. */
  public static Hook copy(DataType type) {
    return Hook.of("copy", List.of(HookSource.of(type)), HookExpr.in(0, type));
  }

  /** Multiplies every element by a constant, in the type's accumulator. */
  public static Hook scale(DataType type, double factor) {
    requireFloat(type);
    DataType wide = type.accumulator();
    HookExpr product = HookExpr.in(0, type).to(wide).times(HookExpr.constant(wide, factor));
    return Hook.of("scale", List.of(HookSource.of(type)), product.to(type));
  }

  /** Transposes each rows x columns matrix. */
  public static Hook transpose(DataType type, long rows, long columns) {
    HookSource source = new HookSource(type, new IndexMap.Transpose(rows, columns));
    return Hook.of("transpose", List.of(source), HookExpr.in(0, type));
  }

  /** Gathers rows of {@code width} elements out of {@code rows}, selected by the INT32 in1. */
  public static Hook gather(DataType type, long rows, long width) {
    HookSource source = new HookSource(type, new IndexMap.Gather(1, rows, width));
    HookSource table = new HookSource(DataType.INT32, new IndexMap.Blocks(width));
    return Hook.of("gather", List.of(source, table), HookExpr.in(0, type));
  }

  /** Combines the present element, in1, with the arriving one, in0, in the type's accumulator. */
  public static Hook accumulate(ReduceOp op, DataType type) {
    DataType wide = type.accumulator();
    HookExpr combined =
        HookExpr.in(1, type).to(wide).with(binary(op), HookExpr.in(0, type).to(wide));
    return Hook.of(
        "accumulate", List.of(HookSource.of(type), HookSource.of(type)), combined.to(type));
  }

  /** Divides every element by its block's FP32 scale in in1, and rounds it to a narrower type. */
  public static Hook quantise(DataType from, DataType to, long block) {
    requireQuantised(from, to);
    HookExpr quotient = HookExpr.in(0, from).to(DataType.FP32).over(HookExpr.in(1, DataType.FP32));
    return Hook.of("quantise", scaled(from, block), quotient.to(to));
  }

  /** Multiplies every element by its block's FP32 scale in in1, and rounds it to a wider type. */
  public static Hook dequantise(DataType from, DataType to, long block) {
    requireQuantised(to, from);
    HookExpr product = HookExpr.in(0, from).to(DataType.FP32).times(HookExpr.in(1, DataType.FP32));
    return Hook.of("dequantise", scaled(from, block), product.to(to));
  }

  /**
   * Produces, for each token, a row with a one at its expert, the INT32 in0; the sum of the rows is
   * the number of tokens of each expert.
   */
  public static Hook experts(int experts) {
    HookSource token = new HookSource(DataType.INT32, new IndexMap.Blocks(experts));
    HookExpr column =
        HookExpr.index().with(BinaryOp.REM, new HookExpr.Const(DataType.INT64, experts));
    HookExpr one =
        HookExpr.select(
            HookExpr.in(0, DataType.INT32).to(DataType.INT64),
            Relation.EQ,
            column,
            new HookExpr.Const(DataType.INT32, 1),
            new HookExpr.Const(DataType.INT32, 0));
    return Hook.of("experts", List.of(token), one);
  }

  private static List<HookSource> scaled(DataType type, long block) {
    return List.of(HookSource.of(type), new HookSource(DataType.FP32, new IndexMap.Blocks(block)));
  }

  private static BinaryOp binary(ReduceOp op) {
    return switch (op) {
      case SUM -> BinaryOp.ADD;
      case MIN -> BinaryOp.MIN;
      case MAX -> BinaryOp.MAX;
      case PROD -> BinaryOp.MUL;
      case AVG ->
          throw new IllegalArgumentException(
              "no accumulation of averages: op=AVG; accumulate SUM, then scale once");
    };
  }

  private static void requireFloat(DataType type) {
    if (type.isInteger()) {
      throw new IllegalArgumentException(
          "no scaling of integers: type=%s; write the product as an expression".formatted(type));
    }
  }

  private static void requireQuantised(DataType wide, DataType narrow) {
    boolean floats = wide.isFloat() && narrow.isFloat();
    if (!floats || wide.bytes() > DataType.FP32.bytes() || narrow.bytes() >= wide.bytes()) {
      throw new IllegalArgumentException(
          "no quantisation between these types: wide=%s, narrow=%s; %s"
              .formatted(wide, narrow, "use FP32, FP16 or BF16 and a narrower float"));
    }
  }
}
