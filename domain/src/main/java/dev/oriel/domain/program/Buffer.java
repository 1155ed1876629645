package dev.oriel.domain.program;

/**
 * A named run of bytes that every rank owns one of.
 *
 * @param of the buffer of which this is a second mapping; empty if it has its own bytes
 */
public record Buffer(Space space, String name, Expr bytes, String of) {
  public Buffer(Space space, String name, Expr bytes) {
    this(space, name, bytes, "");
  }

  /** A second mapping of the same bytes, under another name. */
  public Buffer alias(String other) {
    return new Buffer(space, other, bytes, name);
  }

  /** Whether it is a second mapping of another buffer. */
  public boolean isAlias() {
    return !of.isEmpty();
  }
}
