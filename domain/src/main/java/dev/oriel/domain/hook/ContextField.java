package dev.oriel.domain.hook;

import java.util.Locale;

/** A fact about the running transfer that a hook may read as an INT64. */
public enum ContextField {
  /** The rank that evaluates the hook. */
  RANK,
  /** The rank at the other end of the transfer. */
  PEER,
  /** The number of ranks. */
  WORLD,
  /** The tile's index in the transfer. */
  TILE,
  /** The staging slot that carries the tile. */
  SLOT,
  /** The step of the schedule. */
  STEP,
  /** The lane among those of its family. */
  BLOCK,
  /** The part that the lane takes, if lanes share a transfer. */
  ROLE,
  /** The number of elements of the transfer. */
  COUNT;

  private final String symbol = name().toLowerCase(Locale.ROOT);

  /** The field's name in text forms. */
  public String symbol() {
    return symbol;
  }
}
