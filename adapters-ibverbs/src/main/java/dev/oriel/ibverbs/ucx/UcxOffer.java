package dev.oriel.ibverbs.ucx;

import dev.oriel.ports.MachineException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What {@code to} needs to reach {@code from}: its address, the keys of its open memories by the
 * number of their export, and where it counts launches that have ended elsewhere.
 */
@SuppressWarnings("ArrayRecordComponent") // a message, never compared
record UcxOffer(int from, int to, long ended, byte[] address, SortedMap<Integer, byte[]> keys) {
  private static final int MARK = 0x6f72_0702;

  UcxOffer {
    keys = Collections.unmodifiableSortedMap(new TreeMap<>(keys));
  }

  byte[] bytes() {
    int length = 4 * Integer.BYTES + Long.BYTES + Integer.BYTES + address.length;
    length += keys.values().stream().mapToInt(key -> 2 * Integer.BYTES + key.length).sum();
    ByteBuffer buffer = ByteBuffer.allocate(length);
    buffer.putInt(MARK).putInt(from).putInt(to).putInt(keys.size()).putLong(ended);
    buffer.putInt(address.length).put(address);
    keys.forEach((number, key) -> buffer.putInt(number).putInt(key.length).put(key));
    return buffer.array();
  }

  /**
   * Reads bytes that {@link #bytes} made.
   *
   * @throws MachineException if they are anything else
   */
  static UcxOffer parse(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      if (buffer.getInt() != MARK) {
        throw foreign(bytes);
      }
      int from = buffer.getInt();
      int to = buffer.getInt();
      int count = buffer.getInt();
      long ended = buffer.getLong();
      byte[] address = next(buffer);
      SortedMap<Integer, byte[]> keys = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        int number = buffer.getInt();
        if (number < 0 || keys.put(number, next(buffer)) != null) {
          throw foreign(bytes);
        }
      }
      if (buffer.hasRemaining() || count < 1) {
        throw foreign(bytes);
      }
      return new UcxOffer(from, to, ended, address, keys);
    } catch (BufferUnderflowException _) {
      throw foreign(bytes);
    }
  }

  private static byte[] next(ByteBuffer buffer) {
    int length = buffer.getInt();
    if (length < 0 || length > buffer.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] next = new byte[length];
    buffer.get(next);
    return next;
  }

  private static MachineException foreign(byte[] bytes) {
    return new MachineException(
        "bytes are no offer over UCX: length=%d; run one version with equal settings on all ranks"
            .formatted(bytes.length));
  }
}
