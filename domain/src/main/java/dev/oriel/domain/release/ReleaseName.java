package dev.oriel.domain.release;

/** The release. */
public final class ReleaseName {
  /** The output of {@code oriel --version}. */
  public static final String NAME = "oriel 0.1.0";

  private ReleaseName() {}
}
