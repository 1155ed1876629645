package dev.oriel.cuda.process;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * A random number that a process tells the members of its group only: knowing it proves membership.
 */
record Secret(long high, long low) {
  static final int BYTES = 2 * Long.BYTES;

  private static final SecureRandom RANDOM = new SecureRandom();

  static Secret draw() {
    return new Secret(RANDOM.nextLong(), RANDOM.nextLong());
  }

  static Secret from(ByteBuffer bytes) {
    return new Secret(bytes.getLong(), bytes.getLong());
  }

  void into(ByteBuffer bytes) {
    bytes.putLong(high).putLong(low);
  }

  /** Never the secret. */
  @Override
  public String toString() {
    return "Secret[hidden]";
  }
}
