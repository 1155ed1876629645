package dev.oriel.sim.litmus.test;

import org.jspecify.annotations.Nullable;

/** A comparison of two 64-bit values. */
public enum Comparison {
  EQ("=="),
  NE("!="),
  LT("<"),
  LE("<="),
  GT(">"),
  GE(">=");

  private final String sign;

  Comparison(String sign) {
    this.sign = sign;
  }

  /** The comparison whose result an operation gives, if it gives one. */
  public static @Nullable Comparison of(ArithmeticOp op) {
    return switch (op) {
      case EQ, NE, LT, LE, GT, GE -> valueOf(op.name());
      default -> null;
    };
  }

  public String sign() {
    return sign;
  }

  public boolean holds(long a, long b) {
    return switch (this) {
      case EQ -> a == b;
      case NE -> a != b;
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
    };
  }
}
