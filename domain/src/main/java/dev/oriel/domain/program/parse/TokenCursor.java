package dev.oriel.domain.program.parse;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.check.NameRules;
import java.util.List;

/** A cursor over tokens whose errors give the place, the finding and the expectation. */
final class TokenCursor {
  private static final List<String> UNITS = List.of("KiB", "MiB", "GiB");

  private final List<FormToken> tokens;
  private int at;

  TokenCursor(List<FormToken> tokens) {
    this.tokens = tokens;
  }

  FormToken peek() {
    return peek(0);
  }

  FormToken peek(int ahead) {
    return tokens.get(Math.min(at + ahead, tokens.size() - 1));
  }

  FormToken next() {
    FormToken token = peek();
    at++;
    return token;
  }

  boolean accept(String text) {
    if (peek().is(text)) {
      at++;
      return true;
    }
    return false;
  }

  void expect(String text) {
    expect(text, "'" + text + "'");
  }

  /** The same if others were possible: {@code any} names all of them. */
  void expect(String text, String any) {
    FormToken token = next();
    if (!token.is(text)) {
      throw unexpected(token, any);
    }
  }

  FormToken word(String what) {
    FormToken token = next();
    if (token.kind() != FormToken.Kind.WORD) {
      throw unexpected(token, what);
    }
    return token;
  }

  String name(String what) {
    FormToken token = word(what);
    if (NameRules.reserved(token.text())) {
      throw new ProgramException(
          "not a name: %s, found=%s, a word of the language; choose another as %s, such as %s_1"
              .formatted(token.position(), token.shown(), what, token.text()));
    }
    if (!NameRules.valid(token.text())) {
      throw new ProgramException(
          "not a name: %s, found=%s; %s is at most %d letters, digits and _, and no reserved word"
              .formatted(token.position(), token.shown(), what, NameRules.MAX_LENGTH));
    }
    return token.text();
  }

  /** A decimal or hexadecimal word; a size may carry KiB, MiB or GiB. */
  long number() {
    String sign = accept("-") ? "-" : "";
    FormToken token = next();
    if (token.kind() != FormToken.Kind.NUMBER) {
      throw unexpected(token, "a number");
    }
    try {
      return value(sign, token.text().replace("_", ""));
    } catch (NumberFormatException | ArithmeticException e) {
      throw new ProgramException(
          "not a 64-bit number: %s, found=%s; write decimal or 0x digits, optionally with KiB, MiB or GiB"
              .formatted(token.position(), token.shown()));
    }
  }

  /**
   * A size with a unit is signed; any other number without a minus is an unsigned word of 64 bits.
   */
  private static long value(String sign, String text) {
    for (int unit = 0; unit < UNITS.size(); unit++) {
      if (text.endsWith(UNITS.get(unit))) {
        String digits = text.substring(0, text.length() - UNITS.get(unit).length());
        return Math.multiplyExact(signed(sign, digits), 1L << (10 * (unit + 1)));
      }
    }
    if (!sign.isEmpty()) {
      return signed(sign, text);
    }
    return text.startsWith("0x")
        ? Long.parseUnsignedLong(text.substring(2), 16)
        : Long.parseUnsignedLong(text);
  }

  private static long signed(String sign, String digits) {
    return digits.startsWith("0x")
        ? Long.parseLong(sign + digits.substring(2), 16)
        : Long.parseLong(sign + digits);
  }

  int smallNumber() {
    FormToken first = peek();
    long value = number();
    if (value < 0 || value > Integer.MAX_VALUE) {
      String written = first.is("-") ? Long.toString(value) : Long.toUnsignedString(value);
      throw new ProgramException(
          "number out of range: %s, value=%s; write 0 to %d"
              .formatted(first.position(), written, Integer.MAX_VALUE));
    }
    return (int) value;
  }

  ProgramException unexpected(FormToken token, String expected) {
    return new ProgramException(
        "unexpected text: %s, found=%s; expected %s"
            .formatted(token.position(), token.shown(), expected));
  }
}
