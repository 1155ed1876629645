package dev.oriel.ibverbs.post;

/**
 * The state that one queue carries from launch to launch.
 *
 * @param posted the number of requests so far
 * @param reading whether a read may still be under way
 * @param adding whether an atomic may still be under way
 */
public record QueueState(long posted, boolean reading, boolean adding) {
  /** The state of a queue without requests. */
  public static final QueueState NEW = new QueueState(0, false, false);

  /**
   * Whether a request must wait for earlier ones to complete. A reliable queue executes requests in
   * order, with one exception: a later request may overtake the answer of a read or an atomic. A
   * write would then be visible at the peer before the answer is here; it waits. An atomic is
   * executed after earlier atomics without waiting. But it may be a signal, which must come after
   * the bytes of earlier reads; it waits for these.
   */
  public boolean fences(RequestEffect next) {
    return switch (next) {
      case WRITES -> reading || adding;
      case CHANGES -> reading;
      case READS -> false;
    };
  }

  /**
   * After a fenced request nothing earlier is under way; an unfenced one had nothing to wait for.
   */
  public QueueState after(RequestEffect next) {
    return switch (next) {
      case WRITES -> new QueueState(posted + 1, false, false);
      case CHANGES -> new QueueState(posted + 1, false, true);
      case READS -> new QueueState(posted + 1, true, adding);
    };
  }

  /** After a request without bytes, which waits for nothing and for which nothing waits. */
  public QueueState afterNothing() {
    return new QueueState(posted + 1, reading, adding);
  }

  /** Every posted request is complete. */
  public QueueState awaited() {
    return new QueueState(posted, false, false);
  }
}
