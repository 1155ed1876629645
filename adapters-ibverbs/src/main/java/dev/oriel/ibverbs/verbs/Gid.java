package dev.oriel.ibverbs.verbs;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * An address of a port.
 *
 * @param index its place in the port's table
 * @param routable whether it is of RoCE version 2, which routers carry
 */
public record Gid(int index, byte[] address, boolean routable) {
  /** Bytes of an address. */
  public static final int BYTES = 16;

  public Gid {
    address = address.clone();
  }

  @Override
  public byte[] address() {
    return address.clone();
  }

  /** Whether it holds an IPv4 address, as the network's own hosts have them. */
  public boolean ipv4() {
    for (int i = 0; i < 10; i++) {
      if (address[i] != 0) {
        return false;
      }
    }
    return address[10] == -1 && address[11] == -1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Gid g
        && g.index == index
        && g.routable == routable
        && Arrays.equals(g.address, address);
  }

  @Override
  public int hashCode() {
    return 31 * index + Arrays.hashCode(address);
  }

  @Override
  public String toString() {
    return "gid[" + index + "] " + HexFormat.of().formatHex(address);
  }
}
