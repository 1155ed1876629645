package dev.oriel.it.options;

/** What the command's exit codes say. */
public final class Exit {
  public static final int FINE = 0;
  public static final int VIOLATION = 1;
  public static final int WRONG_USE = 2;
  public static final int ENVIRONMENT = 3;

  private Exit() {}
}
