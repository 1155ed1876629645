package dev.oriel.bootstrap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A secret that all ranks of a job know; it is never printed and never sent. */
public final class SharedToken {
  /**
   * The least number of UTF-8 bytes: long enough that an overheard proof does not help to guess it.
   */
  public static final int MIN_BYTES = 16;

  private static final String ALGORITHM = "HmacSHA256";
  private static final SharedToken LOOPBACK =
      new SharedToken("no token: loopback only".getBytes(StandardCharsets.UTF_8));

  private final byte[] secret;

  private SharedToken(byte[] secret) {
    this.secret = secret;
  }

  /** The token with this text; surrounding blanks are not part of it. */
  public static SharedToken of(String text) {
    byte[] bytes = text.strip().getBytes(StandardCharsets.UTF_8);
    if (bytes.length < MIN_BYTES) {
      throw new IllegalArgumentException(
          "token too short: bytes=%d, min=%d; make one with: openssl rand -hex 16"
              .formatted(bytes.length, MIN_BYTES));
    }
    return new SharedToken(bytes);
  }

  /** The stand-in for a token among ranks that only the loopback address can reach. */
  static SharedToken loopback() {
    return LOOPBACK;
  }

  /** The keyed digest of {@code transcript}: HMAC-SHA-256, 32 bytes. */
  byte[] sign(ByteBuffer transcript) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update(transcript.duplicate());
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "this JVM lacks an algorithm that every JVM must have: algorithm="
              + ALGORITHM
              + "; use another JVM",
          e);
    }
  }

  /**
   * Whether {@code proof} is the digest of {@code transcript}; its duration does not depend on the
   * bytes.
   */
  boolean verifies(ByteBuffer transcript, byte[] proof) {
    return MessageDigest.isEqual(sign(transcript), proof);
  }

  /** Never the secret. */
  @Override
  public String toString() {
    return "SharedToken[hidden]";
  }
}
