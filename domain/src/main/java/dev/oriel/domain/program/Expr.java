package dev.oriel.domain.program;

/**
 * A lane-uniform 64-bit operand.
 *
 * <p>Arithmetic wraps. Order ({@code min}, {@code max}, comparisons) is unsigned; {@code /} and
 * {@code %} are floored on the two's complement value, so that {@code (r - 1) % n} is a rank.
 */
public sealed interface Expr {

  /** A literal word. */
  record Const(long value) implements Expr {}

  /**
   * A parameter, definition, lane index, register, loop variable, state word or predefined name.
   */
  record Name(String name) implements Expr {}

  /** Two operands under one operator. */
  record Binary(Operator operator, Expr left, Expr right) implements Expr {}

  /** The packet flag of a counter: see {@link dev.oriel.domain.window.Epoch#nz32(long)}. */
  record NonZero32(Expr counter) implements Expr {}

  /** The executing rank. */
  static Expr rank() {
    return new Name("r");
  }

  /** The number of ranks. */
  static Expr world() {
    return new Name("n");
  }

  /** The launch number of the instance, starting at 1 and wrapping. */
  static Expr epoch() {
    return new Name("epoch");
  }

  static Expr of(long value) {
    return new Const(value);
  }

  static Expr name(String name) {
    return new Name(name);
  }

  static Expr min(Expr a, Expr b) {
    return new Binary(Operator.MIN, a, b);
  }

  static Expr max(Expr a, Expr b) {
    return new Binary(Operator.MAX, a, b);
  }

  /** {@code dividend / divisor}, rounded up. */
  static Expr ceil(Expr dividend, Expr divisor) {
    return new Binary(Operator.CEIL, dividend, divisor);
  }

  static Expr nz32(Expr counter) {
    return new NonZero32(counter);
  }

  default Expr plus(Expr other) {
    return new Binary(Operator.ADD, this, other);
  }

  default Expr plus(long other) {
    return plus(of(other));
  }

  default Expr minus(Expr other) {
    return new Binary(Operator.SUB, this, other);
  }

  default Expr minus(long other) {
    return minus(of(other));
  }

  default Expr times(Expr other) {
    return new Binary(Operator.MUL, this, other);
  }

  default Expr times(long other) {
    return times(of(other));
  }

  default Expr over(Expr other) {
    return new Binary(Operator.DIV, this, other);
  }

  default Expr mod(Expr other) {
    return new Binary(Operator.MOD, this, other);
  }

  default Expr and(long mask) {
    return new Binary(Operator.AND, this, of(mask));
  }

  default Expr xor(Expr other) {
    return new Binary(Operator.XOR, this, other);
  }
}
