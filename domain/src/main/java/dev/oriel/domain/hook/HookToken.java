package dev.oriel.domain.hook;

/** A piece of hook text and where it begins, line and column from 1. */
record HookToken(Kind kind, String text, int line, int column) {

  enum Kind {
    NAME,
    NUMBER,
    SIGN,
    END
  }

  boolean is(String expected) {
    return kind != Kind.END && text.equals(expected);
  }

  String shown() {
    return kind == Kind.END ? "the end" : "'" + text + "'";
  }
}
