package dev.oriel.domain.mscclpp;

import dev.oriel.domain.program.TextPosition;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value of a JSON text, and its place. */
sealed interface JsonNode {
  TextPosition at();

  /** An object, with its members in the order of the text. */
  record Members(Map<String, JsonNode> members, TextPosition at) implements JsonNode {
    public Members {
      members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }
  }

  /** An array. */
  record Elements(List<JsonNode> elements, TextPosition at) implements JsonNode {
    public Elements {
      elements = List.copyOf(elements);
    }
  }

  /** A text without its quotes. */
  record Text(String value, TextPosition at) implements JsonNode {}

  /** A number as it is written, since it may need more than 64 bits. */
  record Numeral(String digits, TextPosition at) implements JsonNode {}

  /** Either {@code true} or {@code false}. */
  record Flag(boolean value, TextPosition at) implements JsonNode {}

  /** The value {@code null}. */
  record Nothing(TextPosition at) implements JsonNode {}
}
