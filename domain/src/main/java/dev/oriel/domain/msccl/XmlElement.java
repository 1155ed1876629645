package dev.oriel.domain.msccl;

import dev.oriel.domain.program.TextPosition;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The start of an element: its name, its attributes in the order of the text, and its place. */
record XmlElement(String name, Map<String, Attribute> attributes, TextPosition at) {

  /** The value of an attribute, and the place of its name. */
  record Attribute(String value, TextPosition at) {}

  XmlElement {
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }
}
