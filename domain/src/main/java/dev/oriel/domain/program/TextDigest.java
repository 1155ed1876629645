package dev.oriel.domain.program;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The digest of a canonical text: the first 128 bits of SHA-256, in hexadecimal. */
public final class TextDigest {
  private static final int BYTES = 16;

  private TextDigest() {}

  /** The digest of {@code text}, the same on every JVM and machine. */
  public static String of(String text) {
    return checksum(text).substring(0, 2 * BYTES);
  }

  /** All of SHA-256 of the text in UTF-8, in hexadecimal. */
  public static String checksum(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
