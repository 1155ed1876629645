package dev.oriel.domain.hook;

import dev.oriel.domain.data.DataType;

/**
 * The typing rules of hook expressions; an error names the operand, the allowed types and the
 * remedy.
 */
final class HookTyping {

  private HookTyping() {}

  static void requireType(HookExpr operand, DataType expected) {
    if (operand.type() != expected) {
      throw illTyped(operand, expected.symbol(), expected);
    }
  }

  static void requireArithmetic(HookExpr operand) {
    if (!operand.type().isArithmetic()) {
      throw illTyped(operand, "i32, i64, f32 or f64", operand.type().accumulator());
    }
  }

  static void requireInteger(HookExpr operand) {
    if (!operand.type().isArithmetic() || !operand.type().isInteger()) {
      throw illTyped(operand, "i32 or i64", DataType.INT32);
    }
  }

  static void requireFloat(HookExpr operand) {
    if (!operand.type().isArithmetic() || !operand.type().isFloat()) {
      throw illTyped(operand, "f32 or f64", DataType.FP32);
    }
  }

  private static IllegalArgumentException illTyped(
      HookExpr operand, String expected, DataType repair) {
    return new IllegalArgumentException(
        "ill-typed operand: expression=%s, type=%s, expected=%s; convert it with %s(...)"
            .formatted(
                HookPrinter.brief(operand), operand.type().symbol(), expected, repair.symbol()));
  }
}
