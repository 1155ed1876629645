package dev.oriel.domain.program;

import java.util.Locale;

/** A way to memory besides the threads' own, which an order of its own puts behind theirs. */
public enum Proxy {
  /** The bulk-copy unit of a block. */
  BULK,
  /** Another mapping of the same memory. */
  ALIAS;

  /** How the text form writes it. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
