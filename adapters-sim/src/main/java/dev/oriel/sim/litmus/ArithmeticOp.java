package dev.oriel.sim.litmus;

/** What arithmetic and atomic instructions compute, on wrapping 64-bit values. */
enum ArithmeticOp {
  ADD,
  SUB,
  MUL,
  AND,
  OR,
  XOR,
  MIN,
  MAX;

  long apply(long a, long b) {
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
