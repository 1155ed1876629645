package dev.oriel.domain.program;

import java.util.Locale;

/** Where a buffer lives and who may touch it. */
public enum Space {
  /** The caller's source; programs only read it. */
  INPUT,
  /** The caller's destination. */
  OUTPUT,
  /** The caller's source and destination in one: what comes out lies where something went in. */
  INOUT,
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

  /** Whether the caller says what it holds at the start of a launch. */
  public boolean filled() {
    return this == INPUT || this == INOUT;
  }

  /** Whether the caller takes from it what a launch leaves. */
  public boolean taken() {
    return this == OUTPUT || this == INOUT;
  }

  /** Whether it is memory of the caller. */
  public boolean callers() {
    return filled() || taken();
  }

  /** Whether another rank may read or write it. */
  public boolean remote() {
    return this != SHARED;
  }
}
