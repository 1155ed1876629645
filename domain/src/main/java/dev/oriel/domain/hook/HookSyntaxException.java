package dev.oriel.domain.hook;

/** A text that is not a hook, with the line and column of the error, both from 1. */
public final class HookSyntaxException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;
  private final String what;
  private final String facts;
  private final String repair;

  HookSyntaxException(String what, String facts, String repair, HookToken at) {
    super(
        "%s: line=%d, column=%d%s; %s"
            .formatted(what, at.line(), at.column(), facts.isEmpty() ? "" : ", " + facts, repair));
    this.what = what;
    this.facts = facts;
    this.repair = repair;
    this.line = at.line();
    this.column = at.column();
  }

  HookSyntaxException(IllegalArgumentException cause, HookToken at) {
    super("%s (line=%d, column=%d)".formatted(cause.getMessage(), at.line(), at.column()), cause);
    this.what = String.valueOf(cause.getMessage());
    this.facts = "";
    this.repair = "";
    this.line = at.line();
    this.column = at.column();
  }

  /** What is wrong; the whole message without its place if there is no {@link #repair}. */
  public String what() {
    return what;
  }

  /** The facts, as {@code key=value} pairs; may be empty. */
  public String facts() {
    return facts;
  }

  /** The remedy; empty if {@link #what} has it. */
  public String repair() {
    return repair;
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
