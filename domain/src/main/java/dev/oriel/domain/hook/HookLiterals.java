package dev.oriel.domain.hook;

import dev.oriel.domain.data.Conversion;
import dev.oriel.domain.data.DataType;

/**
 * Reads numbers and source names.
 *
 * <p>An FP32 or FP64 literal is the nearest value of its type; one of a narrower type is the
 * nearest FP64, rounded to its type. Printed constants read back to the same bits.
 */
final class HookLiterals {

  private HookLiterals() {}

  /** A whole number with an optional minus. */
  static long whole(HookTokens tokens) {
    String sign = tokens.takeIf("-") ? "-" : "";
    HookToken digits = tokens.expect(HookToken.Kind.NUMBER, "a whole number");
    return parseWhole(digits, sign);
  }

  /** The number in a source's name. */
  static int source(HookTokens tokens) {
    HookToken name = tokens.expect(HookToken.Kind.NAME, "a source such as in0");
    if (!isSource(name)) {
      throw tokens.unexpected(name, "a source such as in0");
    }
    return sourceNumber(name);
  }

  static boolean isSource(HookToken name) {
    return name.text().matches("in[0-9]");
  }

  static int sourceNumber(HookToken name) {
    return name.text().charAt(2) - '0';
  }

  /** A constant from its sign, its digits (or inf or nan) and its type. */
  static HookExpr constant(String sign, HookToken digits, DataType type) {
    return switch (digits.text()) {
      case "nan" -> new HookExpr.Const(type, Conversion.canonicalNan(type));
      case "inf" -> infinity(sign, digits, type);
      default ->
          type.isInteger()
              ? integer(sign, digits, type)
              : real(nearest(sign + digits.text(), type), digits, type);
    };
  }

  private static HookExpr infinity(String sign, HookToken digits, DataType type) {
    double value = sign.isEmpty() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    if (type == DataType.FP8_E5M2) {
      // Conversions saturate, but this pattern exists: one above the largest finite one.
      return new HookExpr.Const(type, Conversion.ofDouble(type, value) + 1);
    }
    if (type.isInteger() || type == DataType.FP8_E4M3) {
      throw outside(digits, type);
    }
    return HookExpr.constant(type, value);
  }

  private static HookExpr integer(String sign, HookToken digits, DataType type) {
    long value = parseWhole(digits, sign);
    if (type.wrap(value) != value) {
      throw outside(digits, type);
    }
    return new HookExpr.Const(type, value);
  }

  private static double nearest(String text, DataType type) {
    return type == DataType.FP32 ? Float.parseFloat(text) : Double.parseDouble(text);
  }

  private static HookExpr real(double value, HookToken digits, DataType type) {
    if (Math.abs(value) > Conversion.largest(type)) {
      throw outside(digits, type);
    }
    return HookExpr.constant(type, value);
  }

  private static long parseWhole(HookToken digits, String sign) {
    try {
      return Long.parseLong(sign + digits.text());
    } catch (NumberFormatException refused) {
      throw new HookSyntaxException(
          "not a whole number", "found=" + digits.shown(), "write up to 64 bits of digits", digits);
    }
  }

  private static HookSyntaxException outside(HookToken digits, DataType type) {
    return new HookSyntaxException(
        "literal outside its type",
        "found=" + digits.shown() + ", type=" + type.symbol(),
        "use a wider type",
        digits);
  }
}
