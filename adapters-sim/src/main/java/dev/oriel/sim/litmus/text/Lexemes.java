package dev.oriel.sim.litmus.text;

import java.util.List;

/** A cursor over lexemes whose complaints name place, finding and expectation. */
final class Lexemes {
  private final List<Lexeme> lexemes;
  private int at;

  Lexemes(List<Lexeme> lexemes) {
    this.lexemes = lexemes;
  }

  Lexeme peek() {
    return peek(0);
  }

  Lexeme peek(int ahead) {
    return lexemes.get(Math.min(at + ahead, lexemes.size() - 1));
  }

  Lexeme next() {
    Lexeme lexeme = peek();
    at++;
    return lexeme;
  }

  boolean accept(String text) {
    if (peek().is(text)) {
      at++;
      return true;
    }
    return false;
  }

  void expect(String text) {
    Lexeme lexeme = next();
    if (!lexeme.is(text)) {
      throw lexeme.unexpected("'" + text + "'");
    }
  }

  boolean isWord() {
    return peek().kind() == Lexeme.Kind.WORD;
  }

  boolean isNumber() {
    return peek().kind() == Lexeme.Kind.NUMBER || peek().is("-");
  }

  String word(String what) {
    Lexeme lexeme = next();
    if (lexeme.kind() != Lexeme.Kind.WORD) {
      throw lexeme.unexpected(what);
    }
    return lexeme.text();
  }

  long number(String what) {
    boolean negative = accept("-");
    Lexeme lexeme = next();
    if (lexeme.kind() != Lexeme.Kind.NUMBER) {
      throw lexeme.unexpected(what);
    }
    String sign = negative ? "-" : "";
    String digits = lexeme.text();
    try {
      return digits.startsWith("0x")
          ? Long.parseLong(sign + digits.substring(2), 16)
          : Long.parseLong(sign + digits);
    } catch (NumberFormatException e) {
      throw new LitmusException(
          "not a number", lexeme.position(), lexeme.shown(), what + " of 64 bits");
    }
  }

  int smallNumber(String what) {
    Lexeme start = peek();
    long value = number(what);
    if (value < 0 || value > 0xFFFF) {
      throw new LitmusException(
          "number out of range", start.position(), Long.toString(value), what + ", 0 to 65535");
    }
    return (int) value;
  }
}
