package dev.oriel.domain.hook;

import dev.oriel.domain.naming.NearestName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tokens of a hook text, read one after another; blanks and {@code #} comments are skipped. */
final class HookTokens {

  static final int MAX_TEXT = 1 << 16;

  private static final Pattern PIECE =
      Pattern.compile(
          "(?<blank>[ \\t\\r\\n]+|#[^\\n]*)"
              + "|(?<name>[A-Za-z_][A-Za-z0-9_]*+)"
              + "|(?<number>[0-9]++(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)"
              + "|(?<sign>->|<<|>>|<=|>=|==|!=|[-+*/%&|^<>=(),:])");

  private final List<HookToken> tokens = new ArrayList<>();
  private int next;

  HookTokens(String text) {
    if (text.length() > MAX_TEXT) {
      throw new IllegalArgumentException(
          "hook text too long: length=%d, most=%d; split the hook"
              .formatted(text.length(), MAX_TEXT));
    }
    Matcher matcher = PIECE.matcher(text);
    int line = 1;
    int lineStart = 0;
    int at = 0;
    while (at < text.length()) {
      matcher.region(at, text.length());
      if (!matcher.lookingAt()) {
        HookToken odd =
            new HookToken(
                HookToken.Kind.SIGN, text.substring(at, at + 1), line, at - lineStart + 1);
        throw new HookSyntaxException(
            "unknown character in a hook", "found=" + odd.shown(), "remove it", odd);
      }
      add(matcher, line, at - lineStart + 1);
      for (; at < matcher.end(); at++) {
        if (text.charAt(at) == '\n') {
          line++;
          lineStart = at + 1;
        }
      }
    }
    tokens.add(new HookToken(HookToken.Kind.END, "", line, at - lineStart + 1));
  }

  private void add(Matcher matcher, int line, int column) {
    if (matcher.start("blank") >= 0) {
      return;
    }
    HookToken.Kind kind = HookToken.Kind.SIGN;
    if (matcher.start("name") >= 0) {
      kind = HookToken.Kind.NAME;
    } else if (matcher.start("number") >= 0) {
      kind = HookToken.Kind.NUMBER;
    }
    tokens.add(new HookToken(kind, matcher.group(), line, column));
  }

  HookToken peek() {
    return tokens.get(next);
  }

  HookToken take() {
    HookToken token = peek();
    if (token.kind() != HookToken.Kind.END) {
      next++;
    }
    return token;
  }

  boolean takeIf(String text) {
    boolean found = peek().is(text);
    if (found) {
      take();
    }
    return found;
  }

  HookToken expect(String text) {
    if (!peek().is(text)) {
      throw unexpected(peek(), "'" + text + "'");
    }
    return take();
  }

  HookToken expect(HookToken.Kind kind, String what) {
    if (peek().kind() != kind) {
      throw unexpected(peek(), what);
    }
    return take();
  }

  HookSyntaxException unexpected(HookToken found, String expected) {
    return new HookSyntaxException(
        "unexpected text in a hook", "found=" + found.shown(), "write " + expected, found);
  }

  /** The error for an unknown name; it asks for the known name that is near, if there is one. */
  HookSyntaxException unknown(HookToken found, Collection<String> known, String expected) {
    return new HookSyntaxException(
        "unexpected text in a hook",
        "found=" + found.shown(),
        NearestName.of(found.text(), known)
            .map(nearest -> "did you mean " + nearest + "?")
            .orElse("write " + expected),
        found);
  }
}
