package dev.oriel.cuda.ptx;

/** The reason why a lane gave up, as its kernel writes it. */
public final class LaneStatus {
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
