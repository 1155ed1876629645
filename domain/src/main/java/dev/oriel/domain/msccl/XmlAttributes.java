package dev.oriel.domain.msccl;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextPosition;
import java.util.regex.Pattern;

/** The attributes of one element, each checked as it is read. */
record XmlAttributes(XmlCursor xml, XmlElement element) {
  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,18}");

  /** The text of an attribute that must be present. */
  String text(String name) {
    XmlElement.Attribute attribute = element.attributes().get(name);
    if (attribute == null) {
      throw xml.error(
          "attribute missing",
          element.at(),
          "element=%s, attribute=%s".formatted(element.name(), name),
          "add it");
    }
    return attribute.value();
  }

  /** A whole number in that range, which must be present. */
  int number(String name, int least, int most) {
    return (int) number(name, least, most, text(name));
  }

  /** The same; an attribute that is absent has the other value. */
  long number(String name, long least, long most, long absent) {
    return element.attributes().containsKey(name) ? number(name, least, most, text(name)) : absent;
  }

  /** Whether it is 1 and not 0; an attribute that is absent has the other value. */
  boolean flag(String name, boolean absent) {
    return number(name, 0, 1, absent ? 1 : 0) == 1;
  }

  private long number(String name, long least, long most, String text) {
    // 18 digits fit into 64 bits, and no attribute needs more.
    if (!NUMBER.matcher(text).matches()) {
      throw error(name, "not a whole number of at most 18 digits", "give one");
    }
    long value = Long.parseLong(text);
    if (value < least || value > most) {
      throw error(
          name,
          "number out of range",
          most == Long.MAX_VALUE
              ? "give at least %d".formatted(least)
              : "give %d to %d".formatted(least, most));
    }
    return value;
  }

  /** An error in that attribute, at its place if it is present. */
  ProgramException error(String name, String what, String remedy) {
    XmlElement.Attribute attribute = element.attributes().get(name);
    TextPosition at = attribute == null ? element.at() : attribute.at();
    String value = attribute == null ? "absent" : XmlCursor.cut(attribute.value());
    return xml.error(
        what,
        at,
        "element=%s, attribute=%s, value=%s".formatted(element.name(), name, value),
        remedy);
  }
}
