package dev.oriel.sim.litmus.test;

/** What arithmetic and atomic instructions compute, on wrapping 64-bit values. */
public enum ArithmeticOp {
  ADD,
  SUB,
  MUL,
  AND,
  OR,
  XOR,
  MIN,
  MAX;

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
    };
  }
}
