package dev.oriel.domain.program;

import java.util.Locale;

/** How a word changes in one atomic step. */
public enum Atomic {
  /** Is unchanged: the step only reads. */
  FETCH,
  /** Becomes the operand. */
  SET,
  /** Grows by the operand, wrapping. */
  ADD,
  /** Becomes the operand if it is equal to the comparand. */
  CAS;

  /** The new value of a word that holds {@code old}. */
  public long apply(long old, long operand, long compare) {
    return switch (this) {
      case FETCH -> old;
      case SET -> operand;
      case ADD -> old + operand;
      case CAS -> old == compare ? operand : old;
    };
  }

  /** Whether the step writes a value that later readers may see. */
  public boolean writes() {
    return this != FETCH;
  }

  /** The spelling in the text form. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
