package dev.oriel.sim.litmus.text;

import dev.oriel.domain.program.TextPosition;

/** One token of a litmus text; {@code first} if only blanks precede it in its line. */
record Lexeme(Kind kind, String text, TextPosition position, boolean first) {
  private static final int SHOWN = 40;

  /** The kind of a lexeme. */
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

  /** A piece of text as messages show it, shortened if it is long. */
  static String quoted(String text) {
    return "'" + (text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...") + "'";
  }

  LitmusException unexpected(String expected) {
    return new LitmusException("unexpected text", position, shown(), expected);
  }
}
