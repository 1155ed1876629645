package dev.oriel.domain.program;

import java.util.Locale;

/** How a word changes in one indivisible step. */
public enum Atomic {
  /** Stays as it is: the step only reads. */
  FETCH,
  /** Becomes the operand. */
  SET,
  /** Grows by the operand, wrapping. */
  ADD,
  /** Becomes the operand if it is equal to the comparand. */
  CAS;

  /** What a word that holds {@code old} holds afterwards. */
  public long apply(long old, long operand, long compare) {
    return switch (this) {
      case FETCH -> old;
      case SET -> operand;
      case ADD -> old + operand;
      case CAS -> old == compare ? operand : old;
    };
  }

  /** Whether the step leaves a message behind for later readers of the word. */
  public boolean writes() {
    return this != FETCH;
  }

  /** How the text form writes it. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
