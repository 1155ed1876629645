package dev.oriel.domain.program;

/** A form or program that cannot be meant: says what is wrong, where, and what to do. */
public final class ProgramException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public ProgramException(String message) {
    super(message);
  }
}
