package dev.oriel.domain.window;

/** How an awaited 64-bit word is compared with a value; every order is unsigned. */
public enum Comparison {
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE,
  /** Wrap-safe "at least": the word is at most half the number circle ahead of the value. */
  REACHED;

  /** Whether {@code word} satisfies this comparison against {@code value}. */
  public boolean test(long word, long value) {
    return switch (this) {
      case EQ -> word == value;
      case NE -> word != value;
      case LT -> Long.compareUnsigned(word, value) < 0;
      case LE -> Long.compareUnsigned(word, value) <= 0;
      case GT -> Long.compareUnsigned(word, value) > 0;
      case GE -> Long.compareUnsigned(word, value) >= 0;
      case REACHED -> word - value >= 0;
    };
  }
}
