package dev.oriel.domain.program;

/** A form or program is invalid; the message has the problem, the place and the remedy. */
public final class ProgramException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public ProgramException(String message) {
    super(message);
  }
}
