package dev.oriel.sim.litmus.text;

import dev.oriel.domain.program.TextPosition;

/**
 * A litmus text is malformed: the message has the position, the text found and the text expected.
 */
public final class LitmusException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;

  LitmusException(String what, TextPosition position, String found, String expected) {
    super(
        "%s: line=%d, column=%d, found=%s; expected %s"
            .formatted(what, position.line(), position.column(), found, expected));
    line = position.line();
    column = position.column();
  }

  /** The line of the error, from 1. */
  public int line() {
    return line;
  }

  /** The column of the error, from 1. */
  public int column() {
    return column;
  }
}
