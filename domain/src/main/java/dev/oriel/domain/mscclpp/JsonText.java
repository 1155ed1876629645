package dev.oriel.domain.mscclpp;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextPosition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads a JSON text into values that know their places. Texts are bounded in length, depth and
 * number of values. A key that an object has twice is refused, since readers differ in which one
 * they take.
 */
final class JsonText {
  /** Characters of a text. */
  static final int MOST_TEXT = 1 << 24;

  /** Nested arrays and objects. */
  static final int MOST_DEPTH = 32;

  /** Values of a text, which bounds the memory that they take. */
  static final int MOST_VALUES = 1 << 20;

  private static final int SHOWN = 40;
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private final String text;
  private final String file;
  private int next;
  private int line = 1;
  private int lineStart;
  private int values;

  private JsonText(String text, String file) {
    this.text = text;
    this.file = file;
  }

  /**
   * The value of that text.
   *
   * @param file the name of its file, for messages
   */
  static JsonNode read(String text, String file) {
    if (text.length() > MOST_TEXT) {
      throw new ProgramException(
          "plan too long: file=%s, characters=%d, max=%d; give a smaller one"
              .formatted(file, text.length(), MOST_TEXT));
    }
    JsonText json = new JsonText(text, file);
    if (text.startsWith("\uFEFF")) {
      json.next = 1;
      json.lineStart = 1;
    }
    json.skipSpace();
    JsonNode value = json.value("plan", 0);
    json.skipSpace();
    if (json.next < text.length()) {
      throw json.error("text after the plan", "plan", "leave it out");
    }
    return value;
  }

  /** An error at that place of a text. */
  static ProgramException error(
      String file, TextPosition at, String what, String facts, String remedy) {
    return new ProgramException("%s: file=%s, %s, %s; %s".formatted(what, file, at, facts, remedy));
  }

  private ProgramException error(String what, String element, String remedy) {
    return error(
        file, position(), what, "element=%s, found=%s".formatted(cut(element), shown()), remedy);
  }

  private JsonNode value(String element, int depth) {
    if (depth > MOST_DEPTH) {
      throw error("values nested too deeply", element, "nest at most " + MOST_DEPTH);
    }
    if (++values > MOST_VALUES) {
      throw error("too many values", element, "give at most " + MOST_VALUES);
    }
    TextPosition at = position();
    if (next == text.length()) {
      throw error("value expected", element, "is the file whole?");
    }
    char first = text.charAt(next);
    return switch (first) {
      case '{' -> object(element, depth, at);
      case '[' -> array(element, depth, at);
      case '"' -> new JsonNode.Text(string(element), at);
      default -> scalar(element, at);
    };
  }

  private JsonNode object(String element, int depth, TextPosition at) {
    Map<String, JsonNode> members = new LinkedHashMap<>();
    next++;
    skipSpace();
    if (take('}')) {
      return new JsonNode.Members(members, at);
    }
    while (true) {
      if (next == text.length() || text.charAt(next) != '"') {
        throw error("key expected", element, "write \"name\": value");
      }
      TextPosition key = position();
      String name = string(element);
      String member = element + "." + cut(name);
      skipSpace();
      if (!take(':')) {
        throw error("colon expected", member, "write \"name\": value");
      }
      skipSpace();
      if (members.containsKey(name)) {
        throw error(file, key, "key twice", "element=" + cut(member), "leave out one");
      }
      members.put(name, value(member, depth + 1));
      skipSpace();
      if (take('}')) {
        return new JsonNode.Members(members, at);
      }
      if (!take(',')) {
        throw error("comma or } expected", element, "separate members by commas");
      }
      skipSpace();
    }
  }

  private JsonNode array(String element, int depth, TextPosition at) {
    List<JsonNode> elements = new ArrayList<>();
    next++;
    skipSpace();
    if (take(']')) {
      return new JsonNode.Elements(elements, at);
    }
    while (true) {
      elements.add(value(element + "[" + elements.size() + "]", depth + 1));
      skipSpace();
      if (take(']')) {
        return new JsonNode.Elements(elements, at);
      }
      if (!take(',')) {
        throw error("comma or ] expected", element, "separate elements by commas");
      }
      skipSpace();
    }
  }

  private JsonNode scalar(String element, TextPosition at) {
    int end = next;
    while (end < text.length() && isScalar(text.charAt(end))) {
      end++;
    }
    String word = text.substring(next, end);
    boolean known = List.of("true", "false", "null").contains(word);
    if (!known && !isNumber(word)) {
      throw error("no JSON value", element, "give a number, a text, true, false, [ ] or { }");
    }
    next = end;
    return switch (word) {
      case "true" -> new JsonNode.Flag(true, at);
      case "false" -> new JsonNode.Flag(false, at);
      case "null" -> new JsonNode.Nothing(at);
      default -> new JsonNode.Numeral(word, at);
    };
  }

  private static boolean isScalar(char c) {
    return Character.isLetterOrDigit(c) || "+-.".indexOf(c) >= 0;
  }

  private static boolean isNumber(String word) {
    // No number of a plan needs more digits, and a pattern on long ones would recurse.
    return word.length() <= SHOWN && NUMBER.matcher(word).matches();
  }

  private String string(String element) {
    StringBuilder value = new StringBuilder();
    next++;
    while (true) {
      if (next == text.length() || text.charAt(next) < ' ') {
        throw error("text without an end", element, "end it with \" on the same line");
      }
      char c = text.charAt(next++);
      if (c == '"') {
        return value.toString();
      }
      value.append(c == '\\' ? escaped(element) : c);
    }
  }

  private char escaped(String element) {
    char c = next == text.length() ? ' ' : text.charAt(next);
    int known = "\"\\/bfnrt".indexOf(c);
    if (known >= 0) {
      next++;
      return "\"\\/\b\f\n\r\t".charAt(known);
    }
    String digits = c == 'u' ? text.substring(next + 1, Math.min(text.length(), next + 5)) : "";
    if (!digits.matches("[0-9a-fA-F]{4}")) {
      throw error("unknown escape in a text", element, "write the character");
    }
    next += 5;
    return (char) Integer.parseInt(digits, 16);
  }

  private void skipSpace() {
    while (next < text.length() && " \t\r\n".indexOf(text.charAt(next)) >= 0) {
      if (text.charAt(next++) == '\n') {
        line++;
        lineStart = next;
      }
    }
  }

  private boolean take(char expected) {
    boolean found = next < text.length() && text.charAt(next) == expected;
    next += found ? 1 : 0;
    return found;
  }

  private TextPosition position() {
    return new TextPosition(line, next - lineStart + 1);
  }

  private String shown() {
    return next == text.length()
        ? "the end"
        : cut(text.substring(next, Math.min(text.length(), next + SHOWN + 1)));
  }

  /** Names and texts of a file may have any length, those of a message not. */
  static String cut(String text) {
    String line = text.lines().findFirst().orElse("");
    int most = line.startsWith("plan") ? 3 * SHOWN : SHOWN;
    return line.length() > most ? line.substring(0, most) + "..." : line;
  }
}
