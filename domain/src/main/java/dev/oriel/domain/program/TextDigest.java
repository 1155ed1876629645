package dev.oriel.domain.program;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** The digest of a canonical text: the first 128 bits of SHA-256, in hexadecimal. */
public final class TextDigest {
  private static final int BYTES = 16;

  private TextDigest() {}

  /** The digest of {@code text}, the same on every JVM and machine. */
  public static String of(String text) {
    try {
      byte[] whole =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(whole, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
