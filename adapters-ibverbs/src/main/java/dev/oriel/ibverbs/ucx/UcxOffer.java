package dev.oriel.ibverbs.ucx;

import dev.oriel.ports.MachineException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code to} needs to reach {@code from}: its address, the keys of its memories in the order
 * of their export, and where it counts launches that have ended elsewhere.
 */
@SuppressWarnings("ArrayRecordComponent") // a message, never compared
record UcxOffer(int from, int to, long ended, byte[] address, List<byte[]> keys) {
  private static final int MARK = 0x6f72_0701;

  UcxOffer {
    keys = List.copyOf(keys);
  }

  byte[] bytes() {
    int length = 4 * Integer.BYTES + Long.BYTES + Integer.BYTES + address.length;
    length += keys.stream().mapToInt(key -> Integer.BYTES + key.length).sum();
    ByteBuffer buffer = ByteBuffer.allocate(length);
    buffer.putInt(MARK).putInt(from).putInt(to).putInt(keys.size()).putLong(ended);
    buffer.putInt(address.length).put(address);
    keys.forEach(key -> buffer.putInt(key.length).put(key));
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
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        keys.add(next(buffer));
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
