package dev.oriel.sim.testing;

import java.nio.file.Path;

/**
 * A program violates its promises: the message has everything needed to see why, and to repeat it.
 */
public final class ProtocolError extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final String token;
  private final transient Path picture;

  ProtocolError(String message, String token, Path picture) {
    super(message);
    this.token = token;
    this.picture = picture;
  }

  /** The line that {@code oriel replay} takes; empty if the execution has none. */
  public String token() {
    return token;
  }

  /** The page that shows the execution. */
  public Path picture() {
    return picture;
  }
}
