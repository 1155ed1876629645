package dev.oriel.domain.program;

import java.util.Locale;

/** Whether a synchronising access orders the accesses around it. */
public enum Order {
  /** Orders nothing but its own word. */
  RELAXED,
  /** A signal after which everything it covers is visible to whoever acquires it. */
  RELEASE,
  /** An await after which everything that the observed signal released is visible. */
  ACQUIRE,
  /** Both, for a step that reads and writes its word. */
  ACQ_REL;

  /** Whether what was observed is visible afterwards. */
  public boolean acquires() {
    return this == ACQUIRE || this == ACQ_REL;
  }

  /** Whether what was done before is visible to whoever observes it. */
  public boolean releases() {
    return this == RELEASE || this == ACQ_REL;
  }

  /** How the text form writes it. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
