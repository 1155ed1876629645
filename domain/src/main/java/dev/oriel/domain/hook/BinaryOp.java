package dev.oriel.domain.hook;

import dev.oriel.domain.data.Arithmetic;
import dev.oriel.domain.data.DataType;

/**
 * An operation on two operands of one type, with {@link Arithmetic}'s results.
 *
 * <p>A shift's amount is read as unsigned: from the type's width on, SHL gives 0 and SHR, which
 * keeps the sign, gives 0 or -1.
 */
public enum BinaryOp {
  OR("|", 1, true),
  XOR("^", 2, true),
  AND("&", 3, true),
  SHL("<<", 4, true),
  SHR(">>", 4, true),
  ADD("+", 5, false),
  SUB("-", 5, false),
  MUL("*", 6, false),
  DIV("/", 6, false),
  REM("%", 6, true),
  MIN("min", 0, false),
  MAX("max", 0, false);

  private final String symbol;
  private final int precedence;
  private final boolean integersOnly;

  BinaryOp(String symbol, int precedence, boolean integersOnly) {
    this.symbol = symbol;
    this.precedence = precedence;
    this.integersOnly = integersOnly;
  }

  /** The operation's sign or name in text forms. */
  public String symbol() {
    return symbol;
  }

  /** Whether operands must be integers. */
  public boolean isIntegersOnly() {
    return integersOnly;
  }

  /** Whether the text form writes it between the operands rather than before them. */
  boolean isInfix() {
    return precedence > 0;
  }

  /** How tightly the infix sign binds; every sign binds to the left. */
  int precedence() {
    return precedence;
  }

  /** The result on two patterns of this type. */
  public long apply(DataType type, long left, long right) {
    return switch (this) {
      case OR -> left | right;
      case XOR -> left ^ right;
      case AND -> left & right;
      case SHL -> fits(type, right) ? type.wrap(left << right) : 0;
      case SHR -> left >> (fits(type, right) ? right : Long.SIZE - 1);
      case ADD -> Arithmetic.add(type, left, right);
      case SUB -> Arithmetic.subtract(type, left, right);
      case MUL -> Arithmetic.multiply(type, left, right);
      case DIV -> Arithmetic.divide(type, left, right);
      case REM -> Arithmetic.remainder(type, left, right);
      case MIN -> Arithmetic.min(type, left, right);
      case MAX -> Arithmetic.max(type, left, right);
    };
  }

  private static boolean fits(DataType type, long amount) {
    return amount >= 0 && amount < type.bits();
  }
}
