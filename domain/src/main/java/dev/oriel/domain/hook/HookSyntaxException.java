package dev.oriel.domain.hook;

/** A text that is not a hook, with the line and column of the error, both from 1. */
public final class HookSyntaxException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;

  HookSyntaxException(String what, String facts, String repair, HookToken at) {
    super(
        "%s: line=%d, column=%d%s; %s"
            .formatted(what, at.line(), at.column(), facts.isEmpty() ? "" : ", " + facts, repair));
    this.line = at.line();
    this.column = at.column();
  }

  HookSyntaxException(IllegalArgumentException cause, HookToken at) {
    super("%s (line=%d, column=%d)".formatted(cause.getMessage(), at.line(), at.column()), cause);
    this.line = at.line();
    this.column = at.column();
  }

  /** The line, from 1. */
  public int line() {
    return line;
  }

  /** The column, from 1. */
  public int column() {
    return column;
  }
}
