package dev.oriel.sim.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads {@link JsonValue} strictly. It refuses by name the parts of JSON's grammar that reports do
 * not need: fractions, exponents, true, false and null. Size and depth are bounded; errors name
 * line and column.
 */
final class JsonParser {
  static final int MAX_TEXT = 1 << 24;
  static final int MAX_DEPTH = 16;

  private final String text;
  private int at;
  private int depth;

  JsonParser(String text) {
    if (text.length() > MAX_TEXT) {
      throw new ReplayException(
          "report too long: characters=%d, max=%d; merge fewer parts"
              .formatted(text.length(), MAX_TEXT));
    }
    this.text = text;
  }

  JsonValue document() {
    JsonValue value = value();
    skipSpace();
    if (at < text.length()) {
      throw wrong("text after the end", "give one value");
    }
    return value;
  }

  private JsonValue value() {
    skipSpace();
    char c = peek();
    if (c == '"') {
      return new JsonValue.Text(string());
    }
    if (c == '-' || digit(c)) {
      return new JsonValue.Whole(number());
    }
    if (c != '{' && c != '[') {
      throw wrong("unexpected text", "expected {, [, a string or a whole number");
    }
    if (++depth > MAX_DEPTH) {
      throw wrong("nested too deeply: max=" + MAX_DEPTH, "give a report that Oriel wrote");
    }
    at++;
    JsonValue value = c == '{' ? members() : elements();
    depth--;
    return value;
  }

  private JsonValue members() {
    Map<String, JsonValue> members = new TreeMap<>();
    if (accept('}')) {
      return new JsonValue.Members(members);
    }
    do {
      skipSpace();
      int start = at;
      String name = string();
      expect(':');
      JsonValue value = value();
      if (members.putIfAbsent(name, value) != null) {
        at = start;
        throw wrong("member twice: name=" + ReplayException.shown(name), "give each one value");
      }
    } while (accept(','));
    expect('}');
    return new JsonValue.Members(members);
  }

  private JsonValue elements() {
    List<JsonValue> elements = new ArrayList<>();
    if (accept(']')) {
      return new JsonValue.Elements(elements);
    }
    do {
      elements.add(value());
    } while (accept(','));
    expect(']');
    return new JsonValue.Elements(elements);
  }

  private String string() {
    if (peek() != '"') {
      throw wrong("unexpected text", "expected a string");
    }
    at++;
    StringBuilder out = new StringBuilder();
    while (peek() != '"') {
      char c = peek();
      if (c < ' ') {
        throw wrong("control character in a string", "write it as \\u and four digits");
      }
      at++;
      out.append(c == '\\' ? escaped() : c);
    }
    at++;
    return out.toString();
  }

  private char escaped() {
    char c = peek();
    int simple = "\"\\/bfnrt".indexOf(c);
    if (simple >= 0) {
      at++;
      return "\"\\/\b\f\n\r\t".charAt(simple);
    }
    if (c != 'u') {
      throw wrong("unknown escape", "use \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u");
    }
    at++;
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = "0123456789abcdef".indexOf(Character.toLowerCase(peek()));
      if (digit < 0) {
        throw wrong("not a hexadecimal digit", "write four after \\u");
      }
      code = code << 4 | digit;
      at++;
    }
    return (char) code;
  }

  private long number() {
    int start = at;
    at += peek() == '-' ? 1 : 0;
    int digits = at;
    while (at < text.length() && digit(text.charAt(at))) {
      at++;
    }
    boolean zeros = at - digits > 1 && text.charAt(digits) == '0';
    boolean fraction = at < text.length() && ".eE".indexOf(text.charAt(at)) >= 0;
    try {
      if (!zeros && !fraction) {
        return Long.parseLong(text, start, at, 10);
      }
    } catch (NumberFormatException e) {
      // Too many digits or none: the message below states what is allowed.
      at = start;
    }
    at = start;
    throw wrong("not a whole number", "write digits without leading zeros, at most 64 bits");
  }

  private static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  private void skipSpace() {
    while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw wrong("unexpected end", "give the whole report");
    }
    return text.charAt(at);
  }

  private boolean accept(char c) {
    skipSpace();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char c) {
    skipSpace();
    if (peek() != c) {
      throw wrong("unexpected text", "expected " + c);
    }
    at++;
  }

  private ReplayException wrong(String what, String fix) {
    int line = 1;
    int start = 0;
    for (int i = 0; i < Math.min(at, text.length()); i++) {
      if (text.charAt(i) == '\n') {
        line++;
        start = i + 1;
      }
    }
    String found = at < text.length() ? ReplayException.shown(text.substring(at, at + 1)) : "end";
    return new ReplayException(
        "%s: line=%d, column=%d, found=%s; %s".formatted(what, line, at - start + 1, found, fix));
  }
}
