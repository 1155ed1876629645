package dev.oriel.cuda.ptx;

/**
 * Why a lane gave up, as its kernel writes it into three words: the reason, the address of the word
 * that the lane waited for, and the address of the lane's line. The last two belong to the first
 * lane that gave up waiting.
 */
public final class LaneStatus {
  public static final int BYTES = 3 * Long.BYTES;

  /** Where the address of the awaited word is; 0 if the lane waited for no single word. */
  public static final int POLLED = Long.BYTES;

  /** Where the address of the lane's line is. */
  public static final int LINE = 2 * Long.BYTES;

  public static final long RUNNING = 0;
  public static final long ABORTED = 1;
  public static final long TIMED_OUT = 2;

  /** The network interface reported that a request of the rank failed. */
  public static final long QUEUE_FAILED = 3;

  /** A hook's table named a row that does not exist. */
  public static final long NO_ROW = 4;

  /** Added to the code of a failed check. */
  public static final long FAILED = 256;

  private LaneStatus() {}
}
