package dev.oriel.sim.litmus.test;

/**
 * The arithmetic of instructions on wrapping 64-bit values; comparisons give 1 or 0. A value of 32
 * bits is held sign-extended. Where types matter, a separate operation wraps at 32 bits, or orders
 * values as unsigned.
 */
public enum ArithmeticOp {
  ADD,
  SUB,
  MUL,
  AND,
  OR,
  XOR,
  MIN,
  MAX,
  /** One more than {@code a}, or 0 if {@code a} is at least {@code b}; unsigned. */
  INC,
  /** One less than {@code a}; {@code b} if {@code a} is 0 or above {@code b}; unsigned. */
  DEC,
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE,
  ADD_32,
  SUB_32,
  MUL_32,
  INC_32,
  DEC_32,
  MIN_UNSIGNED,
  MAX_UNSIGNED,
  LT_UNSIGNED,
  LE_UNSIGNED,
  GT_UNSIGNED,
  GE_UNSIGNED;

  /** The same operation on values of a type. */
  public ArithmeticOp of(boolean narrow, boolean unsigned) {
    return switch (this) {
      case ADD -> narrow ? ADD_32 : this;
      case SUB -> narrow ? SUB_32 : this;
      case MUL -> narrow ? MUL_32 : this;
      case INC -> narrow ? INC_32 : this;
      case DEC -> narrow ? DEC_32 : this;
      case MIN -> unsigned ? MIN_UNSIGNED : this;
      case MAX -> unsigned ? MAX_UNSIGNED : this;
      case LT -> unsigned ? LT_UNSIGNED : this;
      case LE -> unsigned ? LE_UNSIGNED : this;
      case GT -> unsigned ? GT_UNSIGNED : this;
      case GE -> unsigned ? GE_UNSIGNED : this;
      default -> this;
    };
  }

  /** Whether a type distinguishes it from the operation on signed values of 64 bits. */
  public boolean ofType() {
    return switch (this) {
      case ADD_32, SUB_32, MUL_32, INC_32, DEC_32, MIN_UNSIGNED, MAX_UNSIGNED -> true;
      case LT_UNSIGNED, LE_UNSIGNED, GT_UNSIGNED, GE_UNSIGNED -> true;
      default -> false;
    };
  }

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
      case ADD_32 -> (int) (a + b);
      case SUB_32 -> (int) (a - b);
      case MUL_32 -> (int) (a * b);
      case INC_32 -> (int) INC.apply(a, b);
      case DEC_32 -> (int) DEC.apply(a, b);
      case MIN_UNSIGNED -> Long.compareUnsigned(a, b) <= 0 ? a : b;
      case MAX_UNSIGNED -> Long.compareUnsigned(a, b) >= 0 ? a : b;
      case LT_UNSIGNED -> Long.compareUnsigned(a, b) < 0 ? 1 : 0;
      case LE_UNSIGNED -> Long.compareUnsigned(a, b) <= 0 ? 1 : 0;
      case GT_UNSIGNED -> Long.compareUnsigned(a, b) > 0 ? 1 : 0;
      case GE_UNSIGNED -> Long.compareUnsigned(a, b) >= 0 ? 1 : 0;
      case EQ, NE, LT, LE, GT, GE -> ValueComparison.valueOf(name()).holds(a, b) ? 1 : 0;
    };
  }
}
