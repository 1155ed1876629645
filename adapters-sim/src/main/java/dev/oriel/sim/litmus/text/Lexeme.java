package dev.oriel.sim.litmus.text;

import dev.oriel.domain.program.Position;

/**
 * One piece of a litmus text; {@code first} when nothing but blanks stands before it in its line.
 */
record Lexeme(Kind kind, String text, Position position, boolean first) {
  private static final int SHOWN = 40;

  /** What a piece is. */
  enum Kind {
    WORD,
    NUMBER,
    SIGN,
    END
  }

  boolean is(String expected) {
    return (kind == Kind.WORD || kind == Kind.SIGN) && text.equals(expected);
  }

  String shown() {
    return kind == Kind.END ? "end of text" : quoted(text);
  }

  /** A piece of text as complaints show it: a long one is cut. */
  static String quoted(String text) {
    return "'" + (text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...") + "'";
  }

  LitmusException unexpected(String expected) {
    return new LitmusException("unexpected text", position, shown(), expected);
  }
}
