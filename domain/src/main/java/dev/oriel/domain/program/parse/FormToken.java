package dev.oriel.domain.program.parse;

import dev.oriel.domain.program.TextPosition;

/** A word, number, sign or comment of a program text, with its start position. */
record FormToken(Kind kind, String text, TextPosition position) {
  private static final int MAX_SHOWN = 64;

  /** The kind of a token. */
  enum Kind {
    WORD,
    NUMBER,
    SIGN,
    COMMENT,
    END
  }

  boolean is(String expected) {
    return kind != Kind.END && text.equals(expected);
  }

  /** The position after its last character. */
  TextPosition end() {
    return new TextPosition(position.line(), position.column() + text.length());
  }

  /** The token as an error message names it. */
  String shown() {
    if (kind == Kind.END) {
      return "end of text";
    }
    return text.length() > MAX_SHOWN
        ? "'" + text.substring(0, MAX_SHOWN) + "...'"
        : "'" + text + "'";
  }
}
