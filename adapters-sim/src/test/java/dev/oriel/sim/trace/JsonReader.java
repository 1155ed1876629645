package dev.oriel.sim.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A strict reader of JSON, independent of the package's writer. */
final class JsonReader {
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  static Object read(String text) {
    JsonReader reader = new JsonReader(text);
    Object value = reader.value();
    reader.space();
    if (reader.at != text.length()) {
      throw reader.wrong("end");
    }
    return value;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  static List<Object> array(Object value) {
    return (List<Object>) value;
  }

  private Object value() {
    space();
    return switch (text.charAt(at)) {
      case '{' -> members();
      case '[' -> elements();
      case '"' -> string();
      default -> number();
    };
  }

  private Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    at++;
    for (space(); text.charAt(at) != '}'; space()) {
      if (!members.isEmpty()) {
        expect(',');
      }
      space();
      String name = string();
      expect(':');
      if (members.put(name, value()) != null) {
        throw wrong("a new name");
      }
    }
    at++;
    return members;
  }

  private List<Object> elements() {
    List<Object> elements = new ArrayList<>();
    at++;
    for (space(); text.charAt(at) != ']'; space()) {
      if (!elements.isEmpty()) {
        expect(',');
      }
      elements.add(value());
    }
    at++;
    return elements;
  }

  private String string() {
    StringBuilder string = new StringBuilder();
    expect('"');
    for (; text.charAt(at) != '"'; at++) {
      char c = text.charAt(at);
      if (c < ' ') {
        throw wrong("no control character");
      }
      if (c != '\\') {
        string.append(c);
      } else if (text.charAt(++at) == 'u') {
        string.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
        at += 4;
      } else if ("\"\\/".indexOf(text.charAt(at)) >= 0) {
        string.append(text.charAt(at));
      } else {
        throw wrong("an escape");
      }
    }
    at++;
    return string.toString();
  }

  private Double number() {
    Matcher number = NUMBER.matcher(text).region(at, text.length());
    if (!number.lookingAt()) {
      throw wrong("a value");
    }
    at = number.end();
    return Double.valueOf(number.group());
  }

  private void expect(char c) {
    space();
    if (text.charAt(at++) != c) {
      throw wrong("'" + c + "'");
    }
  }

  private void space() {
    while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private AssertionError wrong(String wanted) {
    int end = Math.min(text.length(), at + 30);
    return new AssertionError(
        "not JSON: offset=" + at + ", wanted=" + wanted + ": " + text.substring(at, end));
  }
}
