package dev.oriel.ibverbs.mlx5;

import java.nio.ByteBuffer;

/**
 * The words in memory from which an interface learns how far queues are filled or read: for a queue
 * pair the counts of receives and of elements posted, for a completion queue the count of
 * completions read.
 */
public final class DoorbellRecord {
  /** Bytes of a queue pair's record. */
  public static final int BYTES = 8;

  private static final int RECEIVES = 0;
  private static final int SENDS = 4;

  private DoorbellRecord() {}

  /** Says that elements were posted; their bytes are written before. */
  public static void postSends(ByteBuffer record, int at, long posted) {
    BigEndian.putIntRelease(record, at + SENDS, (int) posted & 0xffff);
  }

  /** Says that receives were posted; their bytes are written before. */
  public static void postReceives(ByteBuffer record, int at, long posted) {
    BigEndian.putIntRelease(record, at + RECEIVES, (int) posted & 0xffff);
  }

  /** The count of elements posted, low 16 bits; the bytes of all of them are then seen. */
  public static int sends(ByteBuffer record, int at) {
    return BigEndian.getIntAcquire(record, at + SENDS) & 0xffff;
  }

  /** The count of receives posted, low 16 bits; the bytes of all of them are then seen. */
  public static int receives(ByteBuffer record, int at) {
    return BigEndian.getIntAcquire(record, at + RECEIVES) & 0xffff;
  }

  /** Says that completions were read, so that their places may be written again. */
  public static void consume(ByteBuffer record, int at, long consumed) {
    BigEndian.putIntRelease(record, at, (int) consumed & 0xff_ffff);
  }

  /** The count of completions read, low 24 bits. */
  public static int consumed(ByteBuffer record, int at) {
    return BigEndian.getIntAcquire(record, at) & 0xff_ffff;
  }
}
