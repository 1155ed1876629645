package dev.oriel.it.options;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;

/** The reason why a text that the user named cannot be read. */
public final class UnreadableReason {
  private UnreadableReason() {}

  /** The reason, in words where Java only gives the name of a class. */
  public static String reason(IOException e) {
    return e instanceof CharacterCodingException ? "it is no text in UTF-8" : e.toString();
  }
}
