package dev.oriel.domain.program.parse;

import dev.oriel.domain.naming.NearestName;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TimeUnits;
import dev.oriel.domain.program.check.NameRules;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A cursor over tokens whose errors give the place, the finding and the expectation. */
final class TokenCursor {
  private static final List<String> UNITS = List.of("KiB", "MiB", "GiB");

  private final List<FormToken> tokens;
  private final MistakeList mistakes;

  /** Words of the language that the text uses as names. */
  private final Set<String> misused = new HashSet<>();

  private int at;

  TokenCursor(List<FormToken> tokens, MistakeList mistakes) {
    this.tokens = tokens;
    this.mistakes = mistakes;
  }

  FormToken peek() {
    return peek(0);
  }

  FormToken peek(int ahead) {
    return tokens.get(Math.clamp(at + ahead, 0, tokens.size() - 1));
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

  /** A name. A word of the language is reported once, and then taken for a name everywhere. */
  String name(String what) {
    FormToken token = word(what);
    if (NameRules.reserved(token.text()) && misused.add(token.text())) {
      Mistake mistake =
          Mistake.at(
              token.position(),
              "not a name",
              "found=" + token.shown() + ", a word of the language",
              "choose another as " + what + ", such as " + token.text() + "_1");
      // Before another word of its line, the name is more likely missing than wrong.
      if (peek().kind() != FormToken.Kind.SIGN
          && peek().position().line() == token.position().line()) {
        throw new ProgramException(mistake);
      }
      mistakes.add(mistake);
    } else if (token.text().length() > NameRules.MAX_LENGTH) {
      throw new ProgramException(
          Mistake.at(
              token.position(),
              "not a name",
              "found=" + token.shown(),
              what
                  + " is at most "
                  + NameRules.MAX_LENGTH
                  + " letters, digits and _, and no reserved word"));
    }
    return token.text();
  }

  /** Whether it is a word of the language that the text does not use as a name elsewhere. */
  boolean reserved(FormToken token) {
    return NameRules.reserved(token.text()) && !misused.contains(token.text());
  }

  /**
   * Does a part of the parse whose first word is the last one read. After a mistake, goes to the
   * token that caused it: one of the two last that were read.
   *
   * @return whether there was no mistake
   */
  boolean attempt(Runnable part) {
    int first = at;
    if (mistakes.attempt(part)) {
      return true;
    }
    at = Math.max(first, at - 1);
    return false;
  }

  /** Adds a mistake after which the parse goes on. */
  void report(Mistake mistake) {
    mistakes.add(mistake);
  }

  /** Goes to the end of a block whose opening brace has been read, and reads the closing one. */
  void skipBlock() {
    for (int open = 1; open > 0 && !ended(); ) {
      FormToken token = next();
      open += token.is("{") ? 1 : token.is("}") ? -1 : 0;
    }
  }

  /** Whether the whole text has been read. */
  boolean ended() {
    return peek().kind() == FormToken.Kind.END;
  }

  /** Whether the token is the first one of its line. */
  boolean startsLine() {
    return at == 0 || peek(-1).position().line() < peek().position().line();
  }

  /** Whether a line begins here with one of these words, or with a misspelled one. */
  boolean startsLine(Collection<String> words) {
    return startsLine()
        && (words.contains(peek().text()) || NearestName.of(peek().text(), words).isPresent());
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
          Mistake.at(
              token.position(),
              "not a 64-bit number",
              "found=" + token.shown(),
              "write decimal or 0x digits, optionally with KiB, MiB or GiB"));
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

  /** A time with its unit, in nanoseconds: {@code 200us}. */
  long duration() {
    FormToken token = next();
    String text = token.text().replace("_", "");
    for (TimeUnits unit : TimeUnits.values()) {
      String digits = text.replaceFirst(unit.spelling() + "$", "");
      if (!digits.isEmpty()
          && digits.length() <= 12
          && digits.chars().allMatch(TokenCursor::digit)) {
        long time = Math.multiplyExact(Long.parseLong(digits), unit.nanoseconds());
        if (!digits.equals(text) && time > 0 && time <= Call.Until.LONGEST) {
          return time;
        }
      }
    }
    throw new ProgramException(
        Mistake.at(
            token.position(),
            "not a time",
            "found=" + token.shown(),
            "write a number and ns, us, ms or s, at most an hour: 200us"));
  }

  private static boolean digit(int character) {
    return character >= '0' && character <= '9';
  }

  int smallNumber() {
    FormToken first = peek();
    long value = number();
    if (value < 0 || value > Integer.MAX_VALUE) {
      String written = first.is("-") ? Long.toString(value) : Long.toUnsignedString(value);
      throw new ProgramException(
          Mistake.at(
              first.position(),
              "number out of range",
              "value=" + written,
              "write 0 to " + Integer.MAX_VALUE));
    }
    return (int) value;
  }

  ProgramException unexpected(FormToken token, String expected) {
    return wrong(token, "", "expected " + expected);
  }

  /** The same where a name could be: a word of the language is none. */
  ProgramException noName(FormToken token, String expected) {
    return wrong(token, reserved(token) ? ", a word of the language" : "", "expected " + expected);
  }

  /** The error for a token that is none of these words; it asks for the nearest if one is near. */
  ProgramException unexpected(FormToken token, List<String> words) {
    return wrong(token, "", nearest(token, words));
  }

  /** The same at the start of an operation or a declaration. */
  ProgramException unknownStart(FormToken token, List<String> words) {
    boolean changed = (peek().is("+") || peek().is("-")) && peek(1).is("=");
    if (peek().is("=") || changed) {
      return new ProgramException(
          Mistake.at(
              token.position(),
              "unexpected text",
              "found=" + token.shown() + " =",
              "write 'let %s =' for a new name, 'set %s =' for a state"
                  .formatted(token.text(), token.text())));
    }
    return new ProgramException(
        Mistake.at(
            token.position(), "unexpected text", "found=" + token.shown(), nearest(token, words)));
  }

  private String nearest(FormToken token, List<String> words) {
    // A text may have very many wrong words, and each is compared with all of these.
    if (!mistakes.wants(token.position().line())) {
      return "write another word";
    }
    return NearestName.of(token.text(), words)
        .map(nearest -> "did you mean " + nearest + "?")
        .orElseGet(() ->
            "expected "
                + String.join(", ", words.subList(0, words.size() - 1))
                + " or "
                + words.getLast());
  }

  /** If the token starts the next operation, what is missing is at the end of the line before. */
  private ProgramException wrong(FormToken token, String kind, String remedy) {
    int index = token.equals(peek()) ? 0 : -1;
    FormToken before = peek(index - 1);
    boolean starts =
        token.equals(peek(index))
            && before.position().line() < token.position().line()
            && (NameRules.reserved(token.text())
                || token.is("}")
                || token.kind() == FormToken.Kind.END);
    Mistake mistake =
        starts
            ? Mistake.at(before.end(), "unexpected text", "found=end of line", remedy)
            : Mistake.at(
                token.position(), "unexpected text", "found=" + token.shown() + kind, remedy);
    return new ProgramException(mistake);
  }
}
