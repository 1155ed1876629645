package dev.oriel.domain.program;

/** A binary operator on 64-bit words, with its spelling and its meaning. */
public enum Operator {
  OR("|", 1),
  XOR("^", 2),
  AND("&", 3),
  SHL("<<", 4),
  SHR(">>", 4),
  ADD("+", 5),
  SUB("-", 5),
  MUL("*", 6),
  DIV("/", 6),
  MOD("%", 6),
  MIN("min", 0),
  MAX("max", 0),
  CEIL("ceil", 0);

  private final String spelling;
  private final int precedence;

  Operator(String spelling, int precedence) {
    this.spelling = spelling;
    this.precedence = precedence;
  }

  /** The spelling in the text form: an infix sign or a function name. */
  public String spelling() {
    return spelling;
  }

  /** Binding strength of an infix operator; 0 for a function. */
  public int precedence() {
    return precedence;
  }

  /** Whether the text form writes it between its operands. */
  public boolean infix() {
    return precedence > 0;
  }

  /**
   * The result of this operator on two words.
   *
   * @throws ArithmeticException on a division by zero
   */
  public long apply(long a, long b) {
    return switch (this) {
      case OR -> a | b;
      case XOR -> a ^ b;
      case AND -> a & b;
      case SHL -> b < 0 || b > 63 ? 0 : a << b;
      case SHR -> b < 0 || b > 63 ? 0 : a >>> b;
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> Math.floorDiv(a, b);
      case MOD -> Math.floorMod(a, b);
      case MIN -> Long.compareUnsigned(a, b) <= 0 ? a : b;
      case MAX -> Long.compareUnsigned(a, b) >= 0 ? a : b;
      case CEIL -> Math.ceilDiv(a, b);
    };
  }
}
