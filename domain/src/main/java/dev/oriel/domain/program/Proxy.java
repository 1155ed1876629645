package dev.oriel.domain.program;

import java.util.Locale;

/**
 * A way to memory besides the threads' generic accesses; a proxy fence orders its accesses after
 * theirs.
 */
public enum Proxy {
  /** The bulk-copy unit of a block. */
  BULK,
  /** Another mapping of the same memory. */
  ALIAS;

  /** The spelling in the text form. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
