package dev.oriel.domain.program;

import java.util.Locale;

/** Whether a synchronising access orders the accesses around it. */
public enum Order {
  /** Orders nothing but its own word. */
  RELAXED,
  /** A signal after which everything it covers is visible to whoever acquires it. */
  RELEASE,
  /** An await after which everything that the observed signal released is visible. */
  ACQUIRE;

  /** How the text form writes it. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
