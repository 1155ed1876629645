package dev.oriel.sim.litmus.test;

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
