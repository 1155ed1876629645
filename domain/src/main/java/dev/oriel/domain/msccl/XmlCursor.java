package dev.oriel.domain.msccl;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextPosition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The elements of an XML text, one after another. It knows the part of XML that plans use:
 * elements, attributes, comments and processing instructions. It refuses all else, so no text can
 * name a file or grow: there is no document type, and no entity but the five of XML itself.
 */
final class XmlCursor {
  /** Characters of a text. */
  static final int MOST_TEXT = 1 << 24;

  /** Nested elements. */
  static final int MOST_DEPTH = 16;

  /** Attributes of one element. */
  static final int MOST_ATTRIBUTES = 64;

  private static final int SHOWN = 40;
  private static final Map<String, String> ENTITIES =
      Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'");

  private final String text;
  private final String file;
  private final Deque<XmlElement> open = new ArrayDeque<>();
  private int next;
  private int line = 1;
  private int column = 1;
  private boolean rooted;

  /** Whether the element that was read last has no content, so that its end has no text. */
  private boolean empty;

  XmlCursor(String text, String file) {
    this.file = file;
    if (text.length() > MOST_TEXT) {
      throw new ProgramException(
          "plan too long: file=%s, characters=%d, max=%d; give a smaller one"
              .formatted(file, text.length(), MOST_TEXT));
    }
    this.text = text;
    if (text.startsWith("\uFEFF")) {
      next = 1;
    }
  }

  /** The next start of an element, or empty at the end of the element that is open. */
  Optional<XmlElement> next() {
    if (empty) {
      empty = false;
      open.pop();
      return Optional.empty();
    }
    while (true) {
      skipSpace();
      TextPosition at = position();
      if (next == text.length()) {
        return end(at);
      }
      if (!take("<")) {
        throw error("text between elements", at, "text=" + shown(), "write elements alone");
      }
      if (take("!--")) {
        skipPast("-->", at, "comment");
      } else if (take("?")) {
        skipPast("?>", at, "processing instruction");
      } else if (take("!")) {
        throw error(
            "a document type, an entity or CDATA",
            at,
            "text=<!" + shown(),
            "leave it out: plans need none, and entities are not expanded");
      } else if (take("/")) {
        close(at);
        return Optional.empty();
      } else {
        return Optional.of(start(at));
      }
    }
  }

  /** An error at that place of the text. */
  ProgramException error(String what, TextPosition at, String facts, String remedy) {
    return new ProgramException(
        "%s: file=%s, %s%s; %s"
            .formatted(what, file, at, facts.isEmpty() ? "" : ", " + facts, remedy));
  }

  private Optional<XmlElement> end(TextPosition at) {
    XmlElement left = open.peek();
    if (left != null) {
      throw error(
          "element without an end",
          left.at(),
          "element=" + left.name(),
          "the text ends at line %d: is the file whole?".formatted(at.line()));
    }
    if (!rooted) {
      throw error("no element", at, "", "give a plan in MSCCL XML, with an element algo");
    }
    return Optional.empty();
  }

  private XmlElement start(TextPosition at) {
    String name = name("element");
    if (open.isEmpty() && rooted) {
      throw error("second root", at, "element=" + name, "give one algo in each file");
    }
    if (open.size() == MOST_DEPTH) {
      throw error(
          "elements nested too deeply",
          at,
          "element=" + name + ", max=" + MOST_DEPTH,
          "flatten it");
    }
    Map<String, XmlElement.Attribute> attributes = new LinkedHashMap<>();
    while (true) {
      skipSpace();
      if (take("/>")) {
        empty = true;
        break;
      }
      if (take(">")) {
        break;
      }
      attribute(name, attributes);
    }
    rooted = true;
    XmlElement element = new XmlElement(name, attributes, at);
    open.push(element);
    return element;
  }

  private void attribute(String element, Map<String, XmlElement.Attribute> into) {
    TextPosition at = position();
    String name = name("attribute of " + element);
    skipSpace();
    if (!take("=")) {
      throw error(
          "attribute without a value", at, "element=" + element + ", attribute=" + name, "add one");
    }
    skipSpace();
    String value = value(element, name);
    if (into.put(name, new XmlElement.Attribute(value, at)) != null) {
      throw error(
          "attribute twice", at, "element=" + element + ", attribute=" + name, "leave out one");
    }
    if (into.size() > MOST_ATTRIBUTES) {
      throw error(
          "too many attributes",
          at,
          "element=" + element + ", max=" + MOST_ATTRIBUTES,
          "give fewer");
    }
  }

  private String value(String element, String attribute) {
    TextPosition at = position();
    String quote = take("\"") ? "\"" : take("'") ? "'" : "";
    int end = quote.isEmpty() ? -1 : text.indexOf(quote, next);
    if (end < 0) {
      throw error(
          "value without quotes",
          at,
          "element=" + element + ", attribute=" + attribute,
          "write it between two \"");
    }
    String raw = text.substring(next, end);
    if (raw.indexOf('<') >= 0) {
      throw error(
          "value with <", at, "element=" + element + ", attribute=" + attribute, "end the value");
    }
    advance(end + 1 - next);
    return raw.indexOf('&') < 0 ? raw : expanded(raw, at);
  }

  private String expanded(String raw, TextPosition at) {
    StringBuilder value = new StringBuilder();
    int from = 0;
    for (int and = raw.indexOf('&'); and >= 0; and = raw.indexOf('&', from)) {
      int end = raw.indexOf(';', and);
      String name = end < 0 ? raw.substring(and + 1) : raw.substring(and + 1, end);
      String character = ENTITIES.get(name);
      if (end < 0 || character == null) {
        throw error(
            "unknown entity", at, "entity=" + cut(name), "write the character: none is expanded");
      }
      value.append(raw, from, and).append(character);
      from = end + 1;
    }
    return value.append(raw, from, raw.length()).toString();
  }

  private void close(TextPosition at) {
    String name = name("element");
    skipSpace();
    XmlElement left = open.peek();
    if (left == null || !left.name().equals(name) || !take(">")) {
      throw error(
          "end of another element",
          at,
          "element=" + name + ", open=" + (left == null ? "none" : left.name()),
          left == null ? "leave it out" : "end %s, of %s, first".formatted(left.name(), left.at()));
    }
    open.pop();
  }

  private String name(String what) {
    int end = next;
    while (end < text.length() && isNamePart(text.charAt(end))) {
      end++;
    }
    if (end == next) {
      throw error("name expected", position(), "found=" + shown(), "give the name of an " + what);
    }
    String name = text.substring(next, end);
    advance(end - next);
    return cut(name);
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.' || c == ':';
  }

  private void skipPast(String end, TextPosition at, String what) {
    int found = text.indexOf(end, next);
    if (found < 0) {
      throw error(what + " without an end", at, "", "add " + end);
    }
    advance(found + end.length() - next);
  }

  private void skipSpace() {
    while (next < text.length() && " \t\r\n".indexOf(text.charAt(next)) >= 0) {
      advance(1);
    }
  }

  private boolean take(String expected) {
    if (!text.startsWith(expected, next)) {
      return false;
    }
    advance(expected.length());
    return true;
  }

  private void advance(int characters) {
    for (int i = 0; i < characters; i++) {
      if (text.charAt(next++) == '\n') {
        line++;
        column = 1;
      } else {
        column++;
      }
    }
  }

  private TextPosition position() {
    return new TextPosition(line, column);
  }

  private String shown() {
    return next == text.length()
        ? "the end"
        : cut(text.substring(next, Math.min(text.length(), next + SHOWN + 1)));
  }

  /** Names and texts of a file may have any length, those of a message not. */
  static String cut(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() > SHOWN ? line.substring(0, SHOWN) + "..." : line;
  }
}
