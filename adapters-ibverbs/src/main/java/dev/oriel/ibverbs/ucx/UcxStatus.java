package dev.oriel.ibverbs.ucx;

/** What a call of UCX that need not wait returns: success, a request under way, or an error. */
final class UcxStatus {
  static final int OK = 0;
  static final int IN_PROGRESS = 1;

  /** Errors are the numbers from this one up to −1. */
  private static final long LOWEST = -100;

  private UcxStatus() {}

  /** Whether the value is an error rather than the address of a request. */
  static boolean isError(long returned) {
    return returned < 0 && returned >= LOWEST;
  }

  /** Whether the value is the address of a request. */
  static boolean isRequest(long returned) {
    return returned != OK && !isError(returned);
  }
}
