package dev.oriel.sim.litmus.text;

import java.util.List;

/** A cursor over lexemes. Its errors name the position, the lexeme found and the one expected. */
final class LexemeCursor {
  private final List<Lexeme> lexemes;
  private int at;

  LexemeCursor(List<Lexeme> lexemes) {
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
    if (lexeme.kind() != Lexeme.Kind.WORD || lexeme.text().startsWith(".")) {
      throw lexeme.unexpected(what);
    }
    return lexeme.text();
  }

  /** Reads a number of 64 bits; one above the signed range means the same bits. */
  long number(String what) {
    boolean negative = accept("-");
    Lexeme lexeme = next();
    if (lexeme.kind() != Lexeme.Kind.NUMBER) {
      throw lexeme.unexpected(what);
    }
    String sign = negative ? "-" : "";
    // An unsigned constant may end with a U in the instruction set.
    String digits = lexeme.text().replaceFirst("[uU]$", "");
    int radix = radix(digits);
    String significant = sign + (radix == 10 ? digits : digits.substring(2));
    try {
      return negative
          ? Long.parseLong(significant, radix)
          : Long.parseUnsignedLong(significant, radix);
    } catch (NumberFormatException e) {
      throw new LitmusException(
          "not a number", lexeme.position(), lexeme.shown(), what + " of 64 bits");
    }
  }

  private static int radix(String digits) {
    return switch (digits.substring(0, Math.min(2, digits.length()))) {
      case "0x", "0X" -> 16;
      case "0b", "0B" -> 2;
      default -> 10;
    };
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
