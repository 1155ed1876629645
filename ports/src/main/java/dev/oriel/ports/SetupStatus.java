package dev.oriel.ports;

import org.jspecify.annotations.Nullable;

/** One rank's result of its own part of a set-up, as ranks exchange it to agree on the outcome. */
public sealed interface SetupStatus {
  /** This rank's part worked. */
  record Ok() implements SetupStatus {}

  /**
   * This rank's part failed.
   *
   * @param text the text for the other ranks; an implementation may shorten it
   * @param cause kept on this rank and nested in the exception thrown here
   */
  record Failed(String text, @Nullable Throwable cause) implements SetupStatus {}

  /** This rank's part worked. */
  static SetupStatus ok() {
    return new Ok();
  }

  /** This rank's part failed for a reason other than an exception. */
  static SetupStatus failed(String text) {
    return new Failed(text, null);
  }

  /** This rank's part failed with {@code cause}; its class and message go to the other ranks. */
  static SetupStatus failed(Throwable cause) {
    return new Failed(cause.toString(), cause);
  }
}
