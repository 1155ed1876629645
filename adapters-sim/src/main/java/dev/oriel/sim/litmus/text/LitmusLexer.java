package dev.oriel.sim.litmus.text;

import dev.oriel.domain.program.TextPosition;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits a litmus text into lexemes. The first line is taken whole, because a test's name may hold
 * any sign. After it come remarks of any form, up to the block of initial values. From there on
 * quoted text, {@code (* ... *)} and {@code // ...} are comments everywhere.
 */
final class LitmusLexer {
  static final int MAX_CHARACTERS = 1 << 20;
  private static final int MAX_LEXEMES = 1 << 17;
  private static final String[] LONG_SIGNS = {"/\\", "\\/", "=>", "==", "!=", "<=", ">="};
  private static final String SIGNS = "{}()[];|,:@=<>~-+*&!";

  private final String text;
  private final List<Lexeme> lexemes = new ArrayList<>();
  private int at;
  private int line = 1;
  private int lineStart;
  private boolean first = true;

  LitmusLexer(String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw new LitmusException(
          "text too long",
          new TextPosition(1, 1),
          text.length() + " characters",
          "at most " + MAX_CHARACTERS);
    }
    String marked = text.startsWith("\uFEFF") ? text.substring(1) : text;
    this.text = marked.indexOf('\n') < 0 ? marked.replace('\r', '\n') : marked;
  }

  /** Reads the line {@code PTX NAME} and returns the name. */
  String header() {
    skipBlanks();
    TextPosition start = here();
    int end = text.indexOf('\n', at);
    String header = text.substring(at, end < 0 ? text.length() : end).strip();
    String[] words = header.split("\\s+", 2);
    if (!words[0].equalsIgnoreCase("PTX") && !words[0].equalsIgnoreCase("GPU_PTX")) {
      throw new LitmusException(
          "not a PTX litmus test", start, Lexeme.quoted(words[0]), "PTX and the test's name");
    }
    if (words.length < 2) {
      throw new LitmusException("test has no name", start, "'PTX'", "PTX and the test's name");
    }
    at = end < 0 ? text.length() : end;
    return words[1];
  }

  /** Skips remarks before the block of initial values, which begins on a line of its own. */
  void skipRemarks() {
    int brace = firstValues(true);
    if (brace < 0) {
      // If a comment never ends, its opening is a remark like any other.
      brace = firstValues(false);
    }
    for (; at < brace; at++) {
      newline(at);
    }
  }

  /**
   * The first brace that begins a line, outside of comments if {@code comments}; -1 if there is
   * none.
   */
  private int firstValues(boolean comments) {
    int open = 0;
    boolean blank = false;
    for (int i = at; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '{' && blank && open == 0) {
        return i;
      }
      if (comments && text.startsWith("(*", i)) {
        open++;
      } else if (text.startsWith("*)", i)) {
        open = Math.max(0, open - 1);
      }
      blank = c == '\n' || (blank && Character.isWhitespace(c));
    }
    return -1;
  }

  List<Lexeme> lexemes() {
    while (true) {
      skipBlanks();
      if (at >= text.length()) {
        add(Lexeme.Kind.END, at);
        return lexemes;
      }
      char c = text.charAt(at);
      if (c == '"') {
        skipPast("\"", 1);
      } else if (text.startsWith("(*", at)) {
        skipNested();
      } else if (text.startsWith("/*", at)) {
        skipPast("*/", 2);
      } else if (text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (isLetter(c) || (c == '.' && letterAt(at + 1))) {
        add(Lexeme.Kind.WORD, wordEnd());
      } else if (isDigit(c)) {
        add(Lexeme.Kind.NUMBER, numberEnd());
      } else {
        add(Lexeme.Kind.SIGN, signEnd());
      }
      if (lexemes.size() > MAX_LEXEMES) {
        throw new LitmusException(
            "text too long", here(), lexemes.size() + " words", "at most " + MAX_LEXEMES);
      }
    }
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      newline(at++);
    }
  }

  private void newline(int position) {
    if (text.charAt(position) == '\n') {
      line++;
      lineStart = position + 1;
      first = true;
    }
  }

  private void skipPast(String closing, int opening) {
    int end = text.indexOf(closing, at + opening);
    if (end < 0) {
      throw new LitmusException(
          "comment never ends", here(), "end of text", "a closing " + closing);
    }
    for (; at < end + closing.length(); at++) {
      newline(at);
    }
  }

  /** Skips a comment, with the comments nested in it. */
  private void skipNested() {
    int end = at;
    for (int open = 0; end == at || open > 0; ) {
      if (text.startsWith("(*", end)) {
        open++;
        end += 2;
      } else if (text.startsWith("*)", end)) {
        open--;
        end += 2;
      } else if (end++ >= text.length()) {
        throw new LitmusException("comment never ends", here(), "end of text", "a closing *)");
      }
    }
    for (; at < end; at++) {
      newline(at);
    }
  }

  private int wordEnd() {
    int end = at;
    while (end < text.length()
        && (inWord(text.charAt(end)) || (text.startsWith("::", end) && inWord(end + 2)))) {
      end += text.charAt(end) == ':' ? 2 : 1;
    }
    return end;
  }

  private boolean letterAt(int position) {
    return position < text.length() && isLetter(text.charAt(position));
  }

  private boolean inWord(int position) {
    return position < text.length() && inWord(text.charAt(position));
  }

  private static boolean inWord(char c) {
    return isLetter(c) || isDigit(c) || c == '.';
  }

  private int numberEnd() {
    int end = at;
    // A fraction is not a number here, but the error message then shows all of it.
    while (end < text.length() && inWord(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private int signEnd() {
    for (String sign : LONG_SIGNS) {
      if (text.startsWith(sign, at)) {
        return at + 2;
      }
    }
    if (SIGNS.indexOf(text.charAt(at)) < 0) {
      throw new LitmusException(
          "unknown character", here(), printable(text.charAt(at)), "a name, a number or " + SIGNS);
    }
    return at + 1;
  }

  private void add(Lexeme.Kind kind, int end) {
    lexemes.add(new Lexeme(kind, text.substring(at, end), here(), first));
    first = false;
    at = end;
  }

  private TextPosition here() {
    return new TextPosition(line, at - lineStart + 1);
  }

  private static String printable(char c) {
    return c > ' ' && c < 127 ? "'" + c + "'" : "U+%04X".formatted((int) c);
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%' || c == '$';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
