package dev.oriel.domain.hook;

import dev.oriel.domain.data.Arithmetic;
import dev.oriel.domain.data.DataType;
import java.util.Locale;

/** An operation on one operand, with {@link Arithmetic}'s results. */
public enum UnaryOp {
  NEG,
  ABS,
  /** Every bit inverted; integers only. */
  NOT;

  private final String symbol = name().toLowerCase(Locale.ROOT);

  /** The operation's name in text forms. */
  public String symbol() {
    return symbol;
  }

  /** Whether operands must be integers. */
  public boolean isBitwise() {
    return this == NOT;
  }

  /** The result on a pattern of this type. */
  public long apply(DataType type, long value) {
    return switch (this) {
      case NEG -> Arithmetic.negate(type, value);
      case ABS -> Arithmetic.abs(type, value);
      case NOT -> type.wrap(~value);
    };
  }
}
