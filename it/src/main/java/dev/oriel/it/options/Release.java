package dev.oriel.it.options;

/** Which release this is. */
public final class Release {
  /** As {@code oriel --version} says it. */
  public static final String NAME = "oriel 0.1.0";

  private Release() {}
}
