package dev.oriel.domain.program;

/** A place in a program text; both numbers start at 1. */
public record TextPosition(int line, int column) {
  @Override
  public String toString() {
    return "line=" + line + ", column=" + column;
  }
}
