package dev.oriel.sim.litmus.test;

/** What instructions compute, on wrapping 64-bit values; comparisons give 1 or 0. */
public enum ArithmeticOp {
  ADD,
  SUB,
  MUL,
  AND,
  OR,
  XOR,
  MIN,
  MAX,
  /** One more than {@code a}, or 0 behind {@code b}; unsigned. */
  INC,
  /** One less than {@code a}; {@code b} behind 0 and from beyond it; unsigned. */
  DEC,
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE;

  public long apply(long a, long b) {
    return switch (this) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case INC -> Long.compareUnsigned(a, b) >= 0 ? 0 : a + 1;
      case DEC -> a == 0 || Long.compareUnsigned(a, b) > 0 ? b : a - 1;
      case EQ, NE, LT, LE, GT, GE -> Comparison.valueOf(name()).holds(a, b) ? 1 : 0;
    };
  }
}
