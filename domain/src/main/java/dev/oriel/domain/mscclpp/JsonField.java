package dev.oriel.domain.mscclpp;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextPosition;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A value of a plan with its path, such as {@code plan.gpus[0].id}. Each access checks the type,
 * and an error names file, line, column and path.
 */
record JsonField(JsonNode value, String path, String file) {
  private static final BigInteger MOST_UNSIGNED = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

  /** The member of that name, which must be present. */
  JsonField member(String name) {
    return optional(name)
        .orElseThrow(() ->
            error(value.at(), "member missing", "element=%s.%s".formatted(path, name), "add it"));
  }

  /** The member of that name, if there is one. */
  Optional<JsonField> optional(String name) {
    if (!(value instanceof JsonNode.Members object)) {
      throw error("no object", "write { } with the members of this element");
    }
    JsonNode member = object.members().get(name);
    return member == null
        ? Optional.empty()
        : Optional.of(new JsonField(member, path + "." + name, file));
  }

  boolean has(String name) {
    return optional(name).isPresent();
  }

  /** The elements of an array with at most that many. */
  List<JsonField> elements(int most) {
    if (!(value instanceof JsonNode.Elements array)) {
      throw error("no array", "write [ ] with the elements");
    }
    if (array.elements().size() > most) {
      throw error(
          value.at(),
          "too many elements",
          "element=%s, elements=%d".formatted(path, array.elements().size()),
          "give at most " + most);
    }
    List<JsonField> fields = new ArrayList<>();
    for (JsonNode element : array.elements()) {
      fields.add(new JsonField(element, "%s[%d]".formatted(path, fields.size()), file));
    }
    return fields;
  }

  /** The elements of the array of that name; none if it is absent. */
  List<JsonField> elements(String name, int most) {
    return optional(name).map(array -> array.elements(most)).orElse(List.of());
  }

  String text() {
    if (!(value instanceof JsonNode.Text text)) {
      throw error("no text", "write a text in quotes");
    }
    return text.value();
  }

  boolean flag(String name, boolean absent) {
    return optional(name).map(JsonField::flag).orElse(absent);
  }

  boolean flag() {
    if (!(value instanceof JsonNode.Flag flag)) {
      throw error("neither true nor false", "write true or false");
    }
    return flag.value();
  }

  /** A whole number in that range. */
  int number(int least, int most) {
    BigInteger number = whole();
    if (number.compareTo(BigInteger.valueOf(least)) < 0
        || number.compareTo(BigInteger.valueOf(most)) > 0) {
      throw error("number out of range", "give %d to %d".formatted(least, most));
    }
    return number.intValue();
  }

  int number(String name, int least, int most) {
    return member(name).number(least, most);
  }

  int number(String name, int least, int most, int absent) {
    return optional(name).map(field -> field.number(least, most)).orElse(absent);
  }

  /**
   * Bytes: a number of 64 bits without a sign. More than a signed one holds is as many as it holds.
   */
  long bytes(String name, long absent) {
    Optional<JsonField> field = optional(name);
    if (field.isEmpty()) {
      return absent;
    }
    BigInteger number = field.get().whole();
    if (number.signum() < 0 || number.compareTo(MOST_UNSIGNED) > 0) {
      throw field.get().error("number out of range", "give 0 to 2^64 - 1");
    }
    return number.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
  }

  private BigInteger whole() {
    if (!(value instanceof JsonNode.Numeral number) || !number.digits().matches("-?[0-9]+")) {
      throw error("no whole number", "write one, without a point, an exponent or quotes");
    }
    return new BigInteger(number.digits());
  }

  /** An error in this value. */
  ProgramException error(String what, String remedy) {
    return error(value.at(), what, "element=%s%s".formatted(path, shown()), remedy);
  }

  private String shown() {
    return switch (value) {
      case JsonNode.Text text -> ", value=" + JsonText.cut(text.value());
      case JsonNode.Numeral number -> ", value=" + number.digits();
      case JsonNode.Flag flag -> ", value=" + flag.value();
      case JsonNode.Nothing nothing -> ", value=null";
      case JsonNode.Members members -> "";
      case JsonNode.Elements elements -> "";
    };
  }

  private ProgramException error(TextPosition at, String what, String facts, String remedy) {
    return JsonText.error(file, at, what, facts, remedy);
  }
}
