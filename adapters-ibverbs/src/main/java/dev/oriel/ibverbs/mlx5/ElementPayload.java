package dev.oriel.ibverbs.mlx5;

import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** The bytes of an element on the posting side: their source or their destination. */
public sealed interface ElementPayload {
  /** No byte, and no segment: a gather entry of length 0 would mean 2 GiB. */
  ElementPayload NOTHING = new Nothing();

  /** The number of bytes. */
  int bytes();

  /** The number of 16-byte segments that describe them. */
  int segments();

  /** No bytes. */
  record Nothing() implements ElementPayload {
    @Override
    public int bytes() {
      return 0;
    }

    @Override
    public int segments() {
      return 0;
    }
  }

  /** Registered memory. */
  record Gather(int bytes, int key, long address) implements ElementPayload {
    public Gather {
      if (bytes < 1) {
        throw new MachineException(
            "length out of range: bytes=%d, min=1, max=%d; split it, or give no entry for no bytes"
                .formatted(bytes, Integer.MAX_VALUE));
      }
    }

    @Override
    public int segments() {
      return 1;
    }
  }

  /** Bytes that the element carries. */
  final class Inline implements ElementPayload {
    /** The bytes that fit after control segment and remote address into one block. */
    public static final int MAX = 28;

    private final byte[] data;

    /** Keeps a copy. */
    public Inline(byte[] data) {
      if (data.length < 1 || data.length > MAX) {
        throw new MachineException(
            "inline length out of range: bytes=%d, min=1, max=%d; register the bytes instead"
                .formatted(data.length, MAX));
      }
      this.data = data.clone();
    }

    @Override
    public int bytes() {
      return data.length;
    }

    @Override
    public int segments() {
      return (Integer.BYTES + data.length + 15) / 16;
    }

    /** A copy of the bytes. */
    public byte[] data() {
      return data.clone();
    }

    void copyTo(ByteBuffer to, int at) {
      to.put(at, data);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Inline inline && Arrays.equals(data, inline.data);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(data);
    }

    @Override
    public String toString() {
      return "Inline[" + HexFormat.of().formatHex(data) + "]";
    }
  }
}
