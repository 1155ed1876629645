package dev.oriel.it.options;

/** The command's exit codes. */
public final class ExitCodes {
  public static final int FINE = 0;
  public static final int VIOLATION = 1;
  public static final int WRONG_USE = 2;
  public static final int ENVIRONMENT = 3;

  private ExitCodes() {}
}
