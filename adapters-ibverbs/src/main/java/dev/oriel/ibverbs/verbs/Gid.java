package dev.oriel.ibverbs.verbs;

import java.nio.ByteBuffer;

/**
 * An address of a port: 16 bytes, as two words in network order.
 *
 * @param index its index in the port's table
 * @param routable whether it is of RoCE version 2, which routers carry
 */
public record Gid(int index, long high, long low, boolean routable) {
  /** Bytes of an address. */
  public static final int BYTES = 16;

  private static final long MAPPED = 0xffff;

  static Gid of(int index, byte[] bytes, boolean routable) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Gid(index, buffer.getLong(), buffer.getLong(), routable);
  }

  /** Whether it holds an IPv4 address, as hosts of the network have them. */
  public boolean ipv4() {
    return high == 0 && low >>> Integer.SIZE == MAPPED;
  }

  @Override
  public String toString() {
    return "gid[%d] %016x%016x".formatted(index, high, low);
  }
}
