package dev.oriel.sim.litmus.test;

import org.jspecify.annotations.Nullable;

/** A comparison of two 64-bit values; signed, unless the name says otherwise. */
public enum ValueComparison {
  EQ("=="),
  NE("!="),
  LT("<"),
  LE("<="),
  GT(">"),
  GE(">="),
  LT_UNSIGNED("<"),
  LE_UNSIGNED("<="),
  GT_UNSIGNED(">"),
  GE_UNSIGNED(">=");

  private final String sign;

  ValueComparison(String sign) {
    this.sign = sign;
  }

  /** The comparison whose result an operation gives, if it gives one. */
  public static @Nullable ValueComparison of(ArithmeticOp op) {
    return switch (op) {
      case EQ, NE, LT, LE, GT, GE -> valueOf(op.name());
      default -> null;
    };
  }

  /** Its spelling, the same for signed and unsigned values. */
  public String sign() {
    return sign;
  }

  /** Whether it orders values, so that their sign matters. */
  public boolean orders() {
    return this != EQ && this != NE;
  }

  /** The same comparison of unsigned values. */
  public ValueComparison unsigned() {
    return switch (this) {
      case LT -> LT_UNSIGNED;
      case LE -> LE_UNSIGNED;
      case GT -> GT_UNSIGNED;
      case GE -> GE_UNSIGNED;
      default -> this;
    };
  }

  public boolean holds(long a, long b) {
    return switch (this) {
      case EQ -> a == b;
      case NE -> a != b;
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      case LT_UNSIGNED -> Long.compareUnsigned(a, b) < 0;
      case LE_UNSIGNED -> Long.compareUnsigned(a, b) <= 0;
      case GT_UNSIGNED -> Long.compareUnsigned(a, b) > 0;
      case GE_UNSIGNED -> Long.compareUnsigned(a, b) >= 0;
    };
  }
}
