package dev.oriel.sim.machine.finding;

/** The memo of a search has no room for more versions, or too few of its steps are recalled. */
public final class MemoFullException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MemoFullException() {
    super("the memo is full", null, false, false);
  }
}
