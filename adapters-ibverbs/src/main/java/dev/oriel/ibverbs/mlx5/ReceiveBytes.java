package dev.oriel.ibverbs.mlx5;

import java.nio.ByteBuffer;

/** Elements of a receive queue: one gather entry of 16 bytes, or the mark for none. */
public final class ReceiveBytes {
  /** Bytes of one. */
  public static final int BYTES = 16;

  /** The key that no memory has. */
  private static final int NO_KEY = 0x100;

  private ReceiveBytes() {}

  /** An element without bytes: it can receive only an immediate. */
  public static void writeNothing(ByteBuffer to, int at) {
    BigEndian.putInt(to, at, 0);
    BigEndian.putInt(to, at + 4, NO_KEY);
    BigEndian.putLong(to, at + 8, 0);
  }

  /** An element with room for bytes. */
  public static void write(ByteBuffer to, int at, ElementPayload.Gather room) {
    ElementWriter.gather(to, at, room);
  }

  /**
   * Decodes the 16 bytes: a gather entry or none.
   *
   * @throws dev.oriel.ports.MachineException if they are neither
   */
  public static ElementPayload read(ByteBuffer from, int at) {
    return BigEndian.getInt(from, at + 4) == NO_KEY && BigEndian.getInt(from, at) == 0
        ? ElementPayload.NOTHING
        : ElementReader.gather(from, at);
  }
}
