package dev.oriel.ibverbs.mlx5;

import java.nio.ByteBuffer;

/**
 * The words in memory from which an interface reads how far queues are filled or consumed. A queue
 * pair's record has the counts of posted receives and of posted elements, a completion queue's the
 * count of completions read.
 */
public final class DoorbellRecord {
  /** Bytes of a queue pair's record. */
  public static final int BYTES = 8;

  private static final int RECEIVES = 0;
  private static final int SENDS = 4;

  private DoorbellRecord() {}

  /** Publishes the count of posted elements, with release: their bytes are written before. */
  public static void postSends(ByteBuffer record, int at, long posted) {
    BigEndian.putIntRelease(record, at + SENDS, (int) posted & 0xffff);
  }

  /** Publishes the count of posted receives, with release: their bytes are written before. */
  public static void postReceives(ByteBuffer record, int at, long posted) {
    BigEndian.putIntRelease(record, at + RECEIVES, (int) posted & 0xffff);
  }

  /**
   * The count of posted elements, low 16 bits, with acquire: the bytes of all of them are then
   * visible.
   */
  public static int sends(ByteBuffer record, int at) {
    return BigEndian.getIntAcquire(record, at + SENDS) & 0xffff;
  }

  /**
   * The count of posted receives, low 16 bits, with acquire: the bytes of all of them are then
   * visible.
   */
  public static int receives(ByteBuffer record, int at) {
    return BigEndian.getIntAcquire(record, at + RECEIVES) & 0xffff;
  }

  /** Publishes the count of completions read: their places may be reused. */
  public static void consume(ByteBuffer record, int at, long consumed) {
    BigEndian.putIntRelease(record, at, (int) consumed & 0xff_ffff);
  }

  /** The count of completions read, low 24 bits. */
  public static int consumed(ByteBuffer record, int at) {
    return BigEndian.getIntAcquire(record, at) & 0xff_ffff;
  }
}
