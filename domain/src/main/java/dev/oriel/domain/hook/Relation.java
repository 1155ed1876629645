package dev.oriel.domain.hook;

import dev.oriel.domain.data.Arithmetic;
import dev.oriel.domain.data.DataType;

/**
 * How a select compares two values: integers as signed; floating point by value, where -0 equals +0
 * and a NaN is only ever {@link #NE}.
 */
public enum Relation {
  LT("<"),
  LE("<="),
  GT(">"),
  GE(">="),
  EQ("=="),
  NE("!=");

  private final String symbol;

  Relation(String symbol) {
    this.symbol = symbol;
  }

  /** The relation's sign in text forms. */
  public String symbol() {
    return symbol;
  }

  /** Whether it holds between two patterns of an integer type, FP32 or FP64. */
  public boolean test(DataType type, long left, long right) {
    return switch (type) {
      case FP32 -> test(Arithmetic.fp32(left), Arithmetic.fp32(right));
      case FP64 -> test(Arithmetic.fp64(left), Arithmetic.fp64(right));
      default -> test(Long.compare(left, right), 0);
    };
  }

  private boolean test(double left, double right) {
    return switch (this) {
      case LT -> left < right;
      case LE -> left <= right;
      case GT -> left > right;
      case GE -> left >= right;
      case EQ -> left == right;
      case NE -> left != right;
    };
  }
}
