package dev.oriel.sim.replay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The part of JSON that reports need: objects, arrays, strings and whole numbers of 64 bits.
 * Members are stored and written in the order of their names, so equal values have equal texts.
 */
public sealed interface JsonValue {

  /** An object; no name occurs twice. */
  record Members(Map<String, JsonValue> members) implements JsonValue {
    public Members {
      members = Collections.unmodifiableMap(new TreeMap<>(members));
    }
  }

  /** An array. */
  record Elements(List<JsonValue> elements) implements JsonValue {
    public Elements {
      elements = List.copyOf(elements);
    }
  }

  /** A string. */
  record Text(String text) implements JsonValue {}

  /** A whole number. */
  record Whole(long value) implements JsonValue {}

  /** Parses {@code text}, which must hold exactly one value. */
  static JsonValue parse(String text) {
    return new JsonParser(text).document();
  }

  /** The text, without any space. */
  default String print() {
    return switch (this) {
      case Members(var members) ->
          members.entrySet().stream()
              .map(e -> quoted(e.getKey()) + ":" + e.getValue().print())
              .collect(Collectors.joining(",", "{", "}"));
      case Elements(var elements) ->
          elements.stream().map(JsonValue::print).collect(Collectors.joining(",", "[", "]"));
      case Text(String text) -> quoted(text);
      case Whole(long value) -> Long.toString(value);
    };
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c >= 127) {
        out.append("\\u").append(hex(c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  private static String hex(char c) {
    List<String> digits = new ArrayList<>();
    for (int shift = 12; shift >= 0; shift -= 4) {
      digits.add(Integer.toHexString(c >> shift & 15));
    }
    return String.join("", digits);
  }
}
