package dev.oriel.domain.program;

import java.util.Locale;

/** Where a buffer lives and who may touch it. */
public enum Space {
  /** The caller's source; programs only read it. */
  INPUT,
  /** The caller's destination. */
  OUTPUT,
  /** Symmetric memory of a user's window. */
  WINDOW,
  /** Symmetric memory that the program's instance owns and keeps across launches. */
  SCRATCH,
  /** Memory of one thread block, undefined at the start of a launch. */
  SHARED;

  /** How the text form writes it. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether another rank may read or write it. */
  public boolean remote() {
    return this != SHARED;
  }
}
