package dev.oriel.domain.program;

import java.util.Locale;

/** The place of a buffer and the agents that may access it. */
public enum Space {
  /** The caller's source; programs only read it. */
  INPUT,
  /**
   * An input with the same bytes at every rank: what the host passes with each launch, such as a
   * size.
   */
  UNIFORM,
  /** The caller's destination. */
  OUTPUT,
  /** The caller's source and destination in one: results replace inputs. */
  INOUT,
  /** Symmetric memory of a user's window. */
  WINDOW,
  /** Symmetric memory that the program's instance owns and keeps across launches. */
  SCRATCH,
  /** Memory of one thread block, undefined at the start of a launch. */
  SHARED;

  /** The spelling in the text form. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether no rank may write it. */
  public boolean readOnly() {
    return this == INPUT || this == UNIFORM;
  }

  /** Whether the caller sets its contents at the start of a launch. */
  public boolean filled() {
    return readOnly() || this == INOUT;
  }

  /** Whether the caller takes its contents after a launch. */
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
