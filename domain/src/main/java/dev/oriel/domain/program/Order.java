package dev.oriel.domain.program;

import java.util.Locale;

/** Whether a synchronising access orders the accesses around it. */
public enum Order {
  /** Orders nothing but its own word. */
  RELAXED,
  /** A signal: everything it covers is visible to every agent that acquires it. */
  RELEASE,
  /** An await: everything that the observed signal released is visible afterwards. */
  ACQUIRE,
  /** Both, for a step that reads and writes its word. */
  ACQ_REL;

  /** Whether everything released by the observed write is visible afterwards. */
  public boolean acquires() {
    return this == ACQUIRE || this == ACQ_REL;
  }

  /** Whether earlier accesses are visible to every agent that acquires it. */
  public boolean releases() {
    return this == RELEASE || this == ACQ_REL;
  }

  /** The spelling in the text form. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
