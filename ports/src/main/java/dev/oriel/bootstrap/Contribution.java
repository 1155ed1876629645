package dev.oriel.bootstrap;

import java.nio.ByteBuffer;

/**
 * One rank's input to a collective: its bytes, or a note that they are too many.
 *
 * <pre>
 *   +-----+---------------------+      +-----+----------------------+
 *   |  0  |  bytes ...          |  or  |  1  |  size, 8 bytes        |
 *   +-----+---------------------+      +-----+----------------------+
 * </pre>
 *
 * A rank whose bytes are too many still takes part, so that every rank learns it and stays in step.
 */
sealed interface Contribution {
  int OVERHEAD = 1;

  record Bytes(ByteBuffer shared) implements Contribution {
    byte[] copy() {
      byte[] copy = new byte[shared.remaining()];
      shared.duplicate().get(copy);
      return copy;
    }
  }

  record TooLarge(long size) implements Contribution {}

  static ByteBuffer encode(byte[] mine, int limit) {
    if (mine.length > limit) {
      return ByteBuffer.allocate(9).put((byte) 1).putLong(mine.length).flip();
    }
    return ByteBuffer.allocate(OVERHEAD + mine.length).put((byte) 0).put(mine).flip();
  }

  static Contribution decode(ByteBuffer encoded) throws ProtocolViolation {
    ByteBuffer in = encoded.duplicate();
    int tag = in.hasRemaining() ? in.get() : -1;
    if (tag == 0) {
      return new Bytes(in.slice());
    }
    if (tag == 1 && in.remaining() == 8) {
      return new TooLarge(in.getLong());
    }
    throw new ProtocolViolation("malformed contribution: tag=" + tag + ", left=" + in.remaining());
  }
}
