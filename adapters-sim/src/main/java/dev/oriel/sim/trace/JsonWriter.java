package dev.oriel.sim.trace;

import java.io.IOException;

/**
 * Writes JSON incrementally. Strings are plain ASCII without {@code <}, {@code >} or {@code &}, so
 * the result may also be inside a script element of a page.
 */
final class JsonWriter {
  private final Appendable out;
  private boolean first = true;

  JsonWriter(Appendable out) {
    this.out = out;
  }

  /** Begins an object with a brace or an array with a bracket. */
  JsonWriter open(char bracket) throws IOException {
    comma();
    out.append(bracket);
    first = true;
    return this;
  }

  /** Ends the object or array. */
  JsonWriter close(char bracket) throws IOException {
    out.append(bracket);
    first = false;
    return this;
  }

  /** A member's name; its value follows. */
  JsonWriter name(String name) throws IOException {
    value(name);
    out.append(':');
    first = true;
    return this;
  }

  JsonWriter value(long number) throws IOException {
    comma();
    out.append(Long.toString(number));
    return this;
  }

  /** Nanoseconds as the microseconds that trace viewers count in, exactly. */
  JsonWriter micros(long nanos) throws IOException {
    comma();
    String part = Long.toString(1000 + nanos % 1000).substring(1);
    out.append(Long.toString(nanos / 1000)).append('.').append(part);
    return this;
  }

  JsonWriter value(String text) throws IOException {
    comma();
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c > '~' || c == '<' || c == '>' || c == '&') {
        out.append("\\u").append(Integer.toHexString(0x10000 + c), 1, 5);
      } else {
        out.append(c);
      }
    }
    out.append('"');
    return this;
  }

  /** A name and its text. */
  JsonWriter member(String name, String text) throws IOException {
    return name(name).value(text);
  }

  /** A name and its number. */
  JsonWriter member(String name, long number) throws IOException {
    return name(name).value(number);
  }

  /** A line break before the next value or name, for readers of long files. */
  JsonWriter line() throws IOException {
    comma();
    out.append('\n');
    first = true;
    return this;
  }

  private void comma() throws IOException {
    if (!first) {
      out.append(',');
    }
    first = false;
  }
}
