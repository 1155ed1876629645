package dev.oriel.cuda.process;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** A random number that a process sends to the members of its group only: it proves membership. */
record ProcessSecret(long high, long low) {
  static final int BYTES = 2 * Long.BYTES;

  private static final SecureRandom RANDOM = new SecureRandom();

  static ProcessSecret draw() {
    return new ProcessSecret(RANDOM.nextLong(), RANDOM.nextLong());
  }

  static ProcessSecret from(ByteBuffer bytes) {
    return new ProcessSecret(bytes.getLong(), bytes.getLong());
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
