package dev.oriel.domain.program.parse;

import dev.oriel.domain.program.Mistake;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.TextPosition;
import java.util.ArrayList;
import java.util.List;

/** Cuts a program text into tokens; {@code --} starts a comment that ends with its line. */
final class FormLexer {
  private static final String[] LONG_SIGNS = {"<-", "->", "<=", ">=", "==", "!=", "<<", ">>"};
  private static final List<String> OTHER_COMMENTS = List.of("//", "/*", "#");
  private static final char BYTE_ORDER_MARK = 0xFEFF;

  private static final String SIGNS = "{}[]()<>=,:@+-*/%&|^";

  private final String text;
  private final MistakeList mistakes;
  private final boolean comments;
  private final List<FormToken> tokens = new ArrayList<>();
  private int at;
  private int line = 1;
  private int lineStart;

  private FormLexer(String text, MistakeList mistakes, boolean comments) {
    this.text = text;
    this.mistakes = mistakes;
    this.comments = comments;
  }

  /** The tokens of the text; characters that cannot be in one are left out as mistakes. */
  static List<FormToken> tokens(String text, MistakeList mistakes) {
    return tokens(text, mistakes, false);
  }

  /** The same, each comment being a token too. */
  static List<FormToken> commented(String text, MistakeList mistakes) {
    return tokens(text, mistakes, true);
  }

  private static List<FormToken> tokens(String text, MistakeList mistakes, boolean comments) {
    FormLexer lexer = new FormLexer(text, mistakes, comments);
    lexer.run();
    return lexer.tokens;
  }

  private void run() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\n') {
        at++;
        line++;
        lineStart = at;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        at++;
      } else if (text.startsWith("--", at)) {
        comment();
      } else if (otherComment()) {
        skipLine();
      } else if (isLetter(c)) {
        take(FormToken.Kind.WORD, wordEnd(at));
      } else if (isDigit(c)) {
        take(FormToken.Kind.NUMBER, numberEnd());
      } else if (signEnd() > at) {
        take(FormToken.Kind.SIGN, signEnd());
      } else {
        mistakes.add(unknown(c));
        at++;
      }
    }
    tokens.add(new FormToken(FormToken.Kind.END, "", here()));
  }

  private void comment() {
    int start = at;
    TextPosition place = here();
    skipLine();
    if (comments) {
      String words = text.substring(start, at).stripTrailing();
      tokens.add(new FormToken(FormToken.Kind.COMMENT, words, place));
    }
  }

  private void skipLine() {
    while (at < text.length() && text.charAt(at) != '\n') {
      at++;
    }
  }

  /** Whether a comment of another language begins here. No operand contains these signs. */
  private boolean otherComment() {
    for (String sign : OTHER_COMMENTS) {
      if (text.startsWith(sign, at)) {
        mistakes.add(
            Mistake.at(
                here(), "comments begin with --", "found='" + sign + "'", "write -- instead"));
        return true;
      }
    }
    return false;
  }

  private int wordEnd(int from) {
    int end = from;
    while (end < text.length() && (isLetter(text.charAt(end)) || isDigit(text.charAt(end)))) {
      end++;
    }
    return end;
  }

  /** A hook's number may have a fraction, and then an exponent. */
  private int numberEnd() {
    int end = wordEnd(at);
    if (!follows(end, ".") || !isDigit(charAt(end + 1))) {
      return end;
    }
    end = wordEnd(end + 1);
    return follows(end, "+-") && "eE".indexOf(text.charAt(end - 1)) >= 0 ? wordEnd(end + 1) : end;
  }

  private boolean follows(int place, String some) {
    return place < text.length() && some.indexOf(text.charAt(place)) >= 0;
  }

  private char charAt(int place) {
    return place < text.length() ? text.charAt(place) : '\n';
  }

  /** The end of the sign at this position; the position itself if there is none. */
  private int signEnd() {
    for (String sign : LONG_SIGNS) {
      if (text.startsWith(sign, at)) {
        return at + 2;
      }
    }
    return SIGNS.indexOf(text.charAt(at)) < 0 ? at : at + 1;
  }

  private Mistake unknown(char c) {
    return Mistake.at(
        here(),
        "unknown character",
        "character='" + printable(c) + "'",
        c == ';'
            ? "leave it out, since every operation starts with its own word"
            : c == BYTE_ORDER_MARK
                ? "save the file without a byte order mark"
                : "write names, numbers or one of " + SIGNS);
  }

  private static String printable(char c) {
    return c > ' ' && c < 127 ? String.valueOf(c) : "U+%04X".formatted((int) c);
  }

  private void take(FormToken.Kind kind, int end) {
    tokens.add(new FormToken(kind, text.substring(at, end), here()));
    at = end;
  }

  private TextPosition here() {
    return new TextPosition(line, at - lineStart + 1);
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
